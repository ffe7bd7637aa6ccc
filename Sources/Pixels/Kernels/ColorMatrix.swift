/// What a matrix function does to a colour: three rows of four, the last of each is added.
///
/// Rows and columns are red, green and blue in 0...1.
struct ColorMatrix: Equatable {
    typealias Row = SIMD4<Double>

    var red: Row
    var green: Row
    var blue: Row

    static let identity = ColorMatrix(red: [1, 0, 0, 0], green: [0, 1, 0, 0], blue: [0, 0, 1, 0])

    /// The matrix that applies `first`, and then this one.
    func after(_ first: ColorMatrix) -> ColorMatrix {
        func row(_ row: Row) -> Row {
            first.red * row.x + first.green * row.y + first.blue * row.z + Row(0, 0, 0, row.w)
        }
        return ColorMatrix(red: row(red), green: row(green), blue: row(blue))
    }

    /// `self + (other - self) * share`, for each coefficient.
    func mixed(with other: ColorMatrix, share: Double) -> ColorMatrix {
        let rest = 1 - share
        return ColorMatrix(
            red: red * rest + other.red * share,
            green: green * rest + other.green * share,
            blue: blue * rest + other.blue * share)
    }
}
