/// What red, green and blue are, from x and y of white and of each of them.
enum Primaries {
    /// From amounts of the colours to X, Y and Z, so that one of each is white.
    static func matrix(_ points: [Double]) -> Matrix3? {
        let colours = (0..<4).map { index -> [Double] in
            let (x, y) = (points[2 * index], points[2 * index + 1])
            return [x, y, 1 - x - y]
        }
        guard colours.allSatisfy({ $0[1] > 0.001 }) else { return nil }
        let white = Matrix3.scaled(colours[0], by: 1 / colours[0][1])
        guard let toColours = Matrix3(columns: Array(colours[1...])).inverse else { return nil }
        let amounts = toColours.times(white)
        return Matrix3(columns: zip(colours[1...], amounts).map { Matrix3.scaled($0, by: $1) })
    }

    /// X, Y and Z of primaries, adapted to D50 by Bradford's matrix (ICC.1, annex E).
    static func adapted(_ points: [Double]) -> [[Double]]? {
        guard let matrix = matrix(points) else { return nil }
        let white = matrix.times([1, 1, 1])
        let bradford = Matrix3(
            rows: [[0.8951, 0.2664, -0.1614], [-0.7502, 1.7135, 0.0367], [0.0389, -0.0685, 1.0296]])
        let (from, to) = (bradford.times(white), bradford.times(ICCProfileWriter.d50))
        guard let back = bradford.inverse, from.allSatisfy({ $0 > 0.001 }) else { return nil }
        let adapted = (0..<3).map { column in
            let cones = bradford.times(matrix.rows.map { $0[column] })
            return back.times(cones.indices.map { cones[$0] * to[$0] / from[$0] })
        }
        // What a profile can say, and no file of sense exceeds.
        return adapted.allSatisfy { $0.allSatisfy { abs($0) < 4 } } ? adapted : nil
    }
}

/// Three rows of three numbers.
struct Matrix3 {
    let rows: [[Double]]

    init(rows: [[Double]]) { self.rows = rows }

    init(columns: [[Double]]) { rows = (0..<3).map { row in columns.map { $0[row] } } }

    static func scaled(_ vector: [Double], by factor: Double) -> [Double] { vector.map { $0 * factor } }

    func times(_ vector: [Double]) -> [Double] {
        rows.map { $0[0] * vector[0] + $0[1] * vector[1] + $0[2] * vector[2] }
    }

    func times(_ other: Matrix3) -> Matrix3 {
        Matrix3(columns: (0..<3).map { column in times(other.rows.map { $0[column] }) })
    }

    /// nil where there is none.
    var inverse: Matrix3? {
        func cofactor(_ row: Int, _ column: Int) -> Double {
            let (a, b, c, d) = ((row + 1) % 3, (row + 2) % 3, (column + 1) % 3, (column + 2) % 3)
            return rows[a][c] * rows[b][d] - rows[a][d] * rows[b][c]
        }
        let determinant = rows[0][0] * cofactor(0, 0) + rows[0][1] * cofactor(0, 1) + rows[0][2] * cofactor(0, 2)
        guard abs(determinant) > 1e-6 else { return nil }
        return Matrix3(rows: (0..<3).map { row in (0..<3).map { cofactor($0, row) / determinant } })
    }
}
