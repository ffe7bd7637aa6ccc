/// The values that each channel of a picture can have at some point of a chain.
struct ColorRange: Equatable {
    var red: ClosedRange<Double>
    var green: ClosedRange<Double>
    var blue: ClosedRange<Double>

    /// All that 8 bits can hold.
    static let full = ColorRange(red: 0...1, green: 0...1, blue: 0...1)

    /// The range of a matrix's results before they are clamped.
    func multiplied(by matrix: ColorMatrix) -> ColorRange {
        func range(_ row: ColorMatrix.Row) -> ClosedRange<Double> {
            var low = row.w
            var high = row.w
            for (factor, channel) in [(row.x, red), (row.y, green), (row.z, blue)] {
                let ends = (factor * channel.lowerBound, factor * channel.upperBound)
                low += min(ends.0, ends.1)
                high += max(ends.0, ends.1)
            }
            return low...high
        }
        return ColorRange(red: range(matrix.red), green: range(matrix.green), blue: range(matrix.blue))
    }

    var clamped: ColorRange {
        ColorRange(
            red: red.clamped(to: 0...1), green: green.clamped(to: 0...1), blue: blue.clamped(to: 0...1))
    }

    /// Whether clamping changes nothing. The slack is for the rounding of sums, far below what 8 bits can show.
    var isWithinBounds: Bool {
        let bounds = -1e-9...(1 + 1e-9)
        return [red, green, blue].allSatisfy {
            bounds.contains($0.lowerBound) && bounds.contains($0.upperBound)
        }
    }
}
