/// What a PNG without a profile says of its colours: a gamma, and where its primaries are (PNG, sections 11.3.2.1 and 11.3.2.2).
struct PNGColours {
    /// Of sRGB, as most programs write it.
    private static let usualGamma = 0.45455
    /// x and y of white, red, green and blue of sRGB.
    private static let usualPoints = [0.3127, 0.3290, 0.64, 0.33, 0.30, 0.60, 0.15, 0.06]

    private var gamma: Double?
    private var points: [Double]?
    private var isSaidOtherwise = false

    /// Takes what a chunk says, of those before the picture's data.
    mutating func take(_ chunk: PNGChunks.Chunk) {
        // A profile, sRGB and code points come first.
        if chunk.isNamed("iCCP") || chunk.isNamed("sRGB") || chunk.isNamed("cICP") { isSaidOtherwise = true }
        if chunk.isNamed("gAMA") { gamma = numbers(of: chunk, 1)?.first }
        if chunk.isNamed("cHRM") { points = numbers(of: chunk, 8) }
    }

    /// In 100,000ths.
    private func numbers(of chunk: PNGChunks.Chunk, _ count: Int) -> [Double]? {
        let numbers = (0..<count).compactMap { chunk.reader.be32(chunk.body.lowerBound + 4 * $0) }
        return numbers.count == count && chunk.body.count == 4 * count ? numbers.map { Double($0) / 100_000 } : nil
    }

    /// A profile that says the same; empty for sRGB, for what makes no sense, and where there are other words that count.
    func profile(isGrey: Bool) -> [UInt8] {
        let gamma = gamma ?? Self.usualGamma
        guard !isSaidOtherwise, (0.1...4).contains(gamma) else { return [] }
        let points = isGrey ? Self.usualPoints : self.points ?? Self.usualPoints
        let isUsualGamma = abs(gamma - Self.usualGamma) < 0.02
        if isUsualGamma, zip(points, Self.usualPoints).allSatisfy({ abs($0 - $1) < 0.002 }) { return [] }
        let curve = isUsualGamma ? KnownColours.sRGB.curve : [1 / gamma, 1, 0, 0, 0]
        if isGrey { return ICCProfileWriter.greyProfile(curve: curve) }
        guard let primaries = Self.primaries(points) else { return [] }
        return ICCProfileWriter.profile(ofPrimaries: primaries, curve: curve)
    }

    /// X, Y and Z of primaries, adapted to D50 by Bradford's matrix (ICC.1, annex E).
    private static func primaries(_ points: [Double]) -> [[Double]]? {
        let colours = (0..<4).map { index -> [Double] in
            let (x, y) = (points[2 * index], points[2 * index + 1])
            return [x, y, 1 - x - y]
        }
        guard colours.allSatisfy({ $0[1] > 0.001 }) else { return nil }
        let white = Matrix3.scaled(colours[0], by: 1 / colours[0][1])
        guard let toColours = Matrix3(columns: Array(colours[1...])).inverse else { return nil }
        let amounts = toColours.times(white)
        let bradford = Matrix3(
            rows: [[0.8951, 0.2664, -0.1614], [-0.7502, 1.7135, 0.0367], [0.0389, -0.0685, 1.0296]])
        let (from, to) = (bradford.times(white), bradford.times(ICCProfileWriter.d50))
        guard let back = bradford.inverse, from.allSatisfy({ $0 > 0.001 }) else { return nil }
        let adapted = zip(colours[1...], amounts).map { colour, amount in
            let cones = bradford.times(Matrix3.scaled(colour, by: amount))
            return back.times(cones.indices.map { cones[$0] * to[$0] / from[$0] })
        }
        // What a profile can say, and no file of sense exceeds.
        return adapted.allSatisfy { $0.allSatisfy { abs($0) < 4 } } ? adapted : nil
    }
}

/// Three rows of three numbers.
private struct Matrix3 {
    let rows: [[Double]]

    init(rows: [[Double]]) { self.rows = rows }

    init(columns: [[Double]]) { rows = (0..<3).map { row in columns.map { $0[row] } } }

    static func scaled(_ vector: [Double], by factor: Double) -> [Double] { vector.map { $0 * factor } }

    func times(_ vector: [Double]) -> [Double] {
        rows.map { $0[0] * vector[0] + $0[1] * vector[1] + $0[2] * vector[2] }
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
