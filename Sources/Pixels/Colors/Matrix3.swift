/// A linear map of three channels.
struct Matrix3 {
    let rows: (SIMD3<Double>, SIMD3<Double>, SIMD3<Double>)

    init(_ first: SIMD3<Double>, _ second: SIMD3<Double>, _ third: SIMD3<Double>) {
        rows = (first, second, third)
    }

    init(diagonal: SIMD3<Double>) {
        self.init([diagonal.x, 0, 0], [0, diagonal.y, 0], [0, 0, diagonal.z])
    }

    static func * (matrix: Matrix3, vector: SIMD3<Double>) -> SIMD3<Double> {
        SIMD3((matrix.rows.0 * vector).sum(), (matrix.rows.1 * vector).sum(), (matrix.rows.2 * vector).sum())
    }

    static func * (left: Matrix3, right: Matrix3) -> Matrix3 {
        let columns = right.transposed.rows
        return Matrix3(left * columns.0, left * columns.1, left * columns.2).transposed
    }

    var transposed: Matrix3 {
        Matrix3(
            [rows.0.x, rows.1.x, rows.2.x], [rows.0.y, rows.1.y, rows.2.y], [rows.0.z, rows.1.z, rows.2.z])
    }

    /// The map back; the matrix must have one.
    var inverse: Matrix3 {
        let columns = (Self.cross(rows.1, rows.2), Self.cross(rows.2, rows.0), Self.cross(rows.0, rows.1))
        let determinant = (rows.0 * columns.0).sum()
        return Matrix3(columns.0 / determinant, columns.1 / determinant, columns.2 / determinant).transposed
    }

    private static func cross(_ left: SIMD3<Double>, _ right: SIMD3<Double>) -> SIMD3<Double> {
        SIMD3(
            left.y * right.z - left.z * right.y, left.z * right.x - left.x * right.z,
            left.x * right.y - left.y * right.x)
    }
}
