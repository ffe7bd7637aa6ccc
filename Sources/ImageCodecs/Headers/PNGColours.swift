/// What a PNG without a profile says of its colours: a gamma, and where its primaries are (PNG, 11.3.2).
struct PNGColours {
    /// Of sRGB, as most programs write it.
    private static let usualGamma = 0.45455
    /// x and y of white, red, green and blue of sRGB.
    private static let usualPoints = [0.3127, 0.3290, 0.64, 0.33, 0.30, 0.60, 0.15, 0.06]

    private var gamma: Double?
    private var points: [Double]?
    private var isSaidOtherwise = false
    /// From the chunk cICP, which counts before all others, and of cLLI the brightest pixel.
    private var codePoints: CodePoints?
    private var brightest: Double?

    /// Takes what a chunk says, of those before the picture's data.
    mutating func take(_ chunk: PNGChunks.Chunk) {
        // A profile, sRGB and code points come first.
        if chunk.isNamed("iCCP") || chunk.isNamed("sRGB") { isSaidOtherwise = true }
        // The last two bytes are for samples that are not red, green and blue, or do not use all numbers: PNG has none of these.
        if chunk.isNamed("cICP"), let primaries = chunk.reader.u8(chunk.body.lowerBound),
            let transfer = chunk.reader.u8(chunk.body.lowerBound + 1)
        {
            let points = CodePoints(primaries: primaries, transfer: transfer)
            if points.isSaid { codePoints = points }
        }
        // In 10,000ths of a candela a square metre.
        if chunk.isNamed("cLLI") {
            brightest = chunk.reader.be32(chunk.body.lowerBound).flatMap { $0 > 0 ? Double($0) / 10_000 : nil }
        }
        if chunk.isNamed("gAMA") { gamma = numbers(of: chunk, 1)?.first }
        if chunk.isNamed("cHRM") { points = numbers(of: chunk, 8) }
    }

    /// In 100,000ths.
    private func numbers(of chunk: PNGChunks.Chunk, _ count: Int) -> [Double]? {
        let numbers = (0..<count).compactMap { chunk.reader.be32(chunk.body.lowerBound + 4 * $0) }
        return numbers.count == count && chunk.body.count == 4 * count ? numbers.map { Double($0) / 100_000 } : nil
    }

    /// Of a picture for screens of more than ordinary light; then no profile counts.
    var highRange: CodePoints? {
        guard var points = codePoints, points.highRange != nil else { return nil }
        points.brightest = brightest
        return points
    }

    /// A profile that says the same; empty for sRGB, for what makes no sense, and where there are other words that count.
    func profile(isGrey: Bool) -> [UInt8] {
        if let codePoints { return codePoints.profile(isGrey: isGrey) }
        let gamma = gamma ?? Self.usualGamma
        guard !isSaidOtherwise, (0.1...4).contains(gamma) else { return [] }
        let points = isGrey ? Self.usualPoints : self.points ?? Self.usualPoints
        // Together these are how sRGB is written; beside other primaries the gamma is meant as it stands.
        if abs(gamma - Self.usualGamma) < 0.02, zip(points, Self.usualPoints).allSatisfy({ abs($0 - $1) < 0.002 }) {
            return []
        }
        let curve = [1 / gamma, 1, 0, 0, 0]
        if isGrey { return ICCProfileWriter.greyProfile(curve: curve) }
        guard let primaries = Primaries.adapted(points) else { return [] }
        return ICCProfileWriter.profile(ofPrimaries: primaries, curve: curve)
    }
}
