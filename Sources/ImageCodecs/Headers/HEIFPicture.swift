internal import Pixels

/// What the properties of a HEIF's or AVIF's picture say, and libheif 1.15 does not heed or does in a fixed order.
///
/// So that colours and alpha are turned and cut alike, libheif is given a file in which neither has such properties, and they
/// are applied to what it gives.
struct HEIFPicture {
    private static let alphaKinds: [StaticString] = [
        "urn:mpeg:mpegB:cicp:systems:auxiliary:alpha", "urn:mpeg:hevc:2015:auxid:1", "urn:mpeg:avc:2015:auxid:1",
    ]

    /// As stored.
    let size: PixelSize
    let turns: HEIFTurns
    /// What makes of links with properties that are applied here further ones with the item's size.
    let silenced: [ImageHeader.Patch]
    let largestSize: PixelSize
    /// How many bytes each sample of it takes.
    let sampleBytes: Int
    let hasAlpha: Bool
    let isPremultiplied: Bool
    /// Whether grey, or alpha, goes from 16 to 235 of 8 bits: libheif stretches only what it makes of colours.
    let hasShortGrey: Bool
    let hasShortAlpha: Bool
    /// Of its colours, where there is no profile.
    let codePoints: CodePoints?

    /// Nil where there is nothing to read.
    init?(_ reader: ByteReader) throws(ImageCodecError) {
        guard let items = HEIFItems(reader), let properties = HEIFProperties(items),
            let largest = properties.largestSize
        else { return nil }
        let primary = items.primary ?? 0
        let alpha = items.references("auxl").first { link in
            link.to.contains(primary)
                && properties.bodies("auxC", of: link.from).contains { body in
                    Self.alphaKinds.contains { body.has($0, at: 4) }
                }
        }?.from
        // As programs write it for sequences; libheif refuses it.
        let known = items.numbers
        guard items.references("auxl").allSatisfy({ $0.to.allSatisfy(known.contains) }) else {
            throw .unsupportedFormat("HEIF with transparency of no picture")
        }
        size = properties.size(of: primary) ?? largest
        largestSize = largest
        hasAlpha = alpha != nil
        if let alpha, let other = properties.size(of: alpha), other != size {
            throw .unsupportedFormat("HEIF with transparency of another size, \(other)")
        }
        isPremultiplied = items.references("prem").contains { $0.from == primary }

        var turns = HEIFTurns(of: size)
        var silenced: [ImageHeader.Patch] = []
        // Parts of an overlay and what an identity stands for have turns of their own.
        if !["iovl", "iden"].contains(items.type(of: primary) ?? "") {
            for link in properties.links(of: primary) where HEIFTurns.types.contains(properties.all[link.index].type) {
                try turns.apply(properties.all[link.index].type, properties.all[link.index].body)
            }
            silenced = [primary, alpha].compactMap(\.self).flatMap {
                properties.patches(of: HEIFTurns.types, of: $0, in: reader)
            }
        }
        (self.turns, self.silenced) = (turns, silenced)

        // A grid's own properties may be those of its tiles alone.
        let tile = items.references("dimg").first { $0.from == primary }?.to.first
        let shown =
            HEIFSamples(of: primary, properties, items) ?? tile.flatMap { HEIFSamples(of: $0, properties, items) }
        sampleBytes = shown?.isDeep == true ? 2 : 1
        hasShortGrey = shown.map { $0.isGrey && $0.isFullRange == false } ?? false
        let alphaTile = alpha.flatMap { alpha in items.references("dimg").first { $0.from == alpha }?.to.first }
        hasShortAlpha =
            [alpha, alphaTile].compactMap(\.self).lazy
            .compactMap { HEIFSamples(of: $0, properties, items)?.isFullRange }.first == false
        var points = shown?.codePoints
        // Two bytes each: the brightest pixel, and the brightest picture on average.
        points?.brightest = properties.bodies("clli", of: primary).first?.be16(0).flatMap { $0 > 0 ? Double($0) : nil }
        codePoints = points
    }
}

/// What samples of an item are.
private struct HEIFSamples {
    var isGrey: Bool
    var isDeep: Bool
    /// Nil where nothing says so that is read here.
    var isFullRange: Bool?
    /// Nil also where a profile says what colours are.
    var codePoints: CodePoints?

    init?(of item: Int, _ properties: HEIFProperties, _ items: HEIFItems) {
        let av1 = properties.bodies("av1C", of: item).first
        let hevc = properties.bodies("hvcC", of: item).first
        if let flags = av1?.u8(2) {
            (isGrey, isDeep) = (flags & 0x10 != 0, flags & 0x40 != 0)
        } else if let chroma = hevc?.u8(16), let depth = hevc?.u8(17) {
            (isGrey, isDeep) = (chroma & 3 == 0, depth & 7 > 0)
        } else {
            return nil
        }
        let colours = properties.bodies("colr", of: item)
        if let points = colours.first(where: { $0.has("nclx") }), let primaries = points.be16(4),
            let transfer = points.be16(6), let flags = points.u8(10)
        {
            codePoints = CodePoints(primaries: primaries, transfer: transfer)
            isFullRange = flags & 0x80 != 0
        } else if let av1 {
            let stream =
                AV1SequenceHeader(av1.slice(4..<max(4, av1.count)))
                ?? items.content(of: item).flatMap { bytes in
                    bytes.withUnsafeBytes { AV1SequenceHeader(ByteReader($0)) }
                }
            isFullRange = stream?.isFullRange
            codePoints = stream?.codePoints
        }
        if colours.contains(where: { $0.has("prof") || $0.has("rICC") }) { codePoints = nil }
    }
}
