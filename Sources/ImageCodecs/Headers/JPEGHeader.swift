internal import Pixels

/// The frame header of a JPEG and what the segments before its first scan say about colour and orientation.
struct JPEGHeader {
    var size = PixelSize(width: 0, height: 0)
    var components = 0
    var isProgressive = false
    /// Samples in whole blocks of all components, what a file in several scans keeps as coefficients.
    var blockSamples = 0
    var orientation = Orientation.upright
    /// Adobe's programs store inks inverted and mark that with a segment.
    var hasAdobeMarker = false
    /// The embedded profile, put together from its segments; empty if there is none or a part is missing.
    var profile: [UInt8] = []

    var picture: PictureHeader {
        var picture = PictureHeader(size: size)
        picture.orientation = orientation
        // libjpeg keeps two bytes for each coefficient if a picture comes in several scans; a sequential one can have
        // several as well, and shows it only by having fewer components in its first scan.
        picture.fixedBytes = saturatingProduct(keepsCoefficients ? blockSamples : 0, 2)
            .saturatingSum(saturatingProduct(size.width, 64))
        picture.jpeg = self
        return picture
    }

    private(set) var keepsCoefficients = false
    /// Where the first scan's data begins.
    private(set) var scanOffset = 0

    init?(_ reader: ByteReader) throws(ImageCodecError) {
        guard reader.has([0xFF, 0xD8]) else { return nil }
        var profileParts: [Int: ByteReader] = [:]
        var partCount = 0
        var offset = 2
        segments: while let marker = Self.nextMarker(reader, &offset) {
            if marker == 0x01 || (0xD0...0xD8).contains(marker) { continue }
            guard let length = reader.be16(offset), length >= 2 else { return nil }
            let body = reader.slice(offset + 2..<offset + length)
            guard body.count == length - 2 else { return nil }
            switch marker {
            case 0xC0, 0xC1, 0xC2, 0xC9, 0xCA:
                guard readFrame(body) else { return nil }
                isProgressive = marker == 0xC2 || marker == 0xCA
            case 0xC3: throw .unsupportedFormat("lossless JPEG")
            case 0xC5...0xC7, 0xCB, 0xCD...0xCF: throw .unsupportedFormat("hierarchical or lossless JPEG")
            case 0xF7: throw .unsupportedFormat("JPEG-LS")
            case 0xD9: return nil
            case 0xDA:
                scanOffset = offset + length
                keepsCoefficients = isProgressive || (body.u8(0) ?? 0) < components
                break segments
            case 0xE1 where body.has("Exif\0\0") && orientation == .upright:
                orientation = Orientation(exif: body)
            case 0xE2 where body.has("ICC_PROFILE\0"):
                if let number = body.u8(12), let count = body.u8(13) {
                    profileParts[number] = body.slice(14..<body.count)
                    partCount = count
                }
            case 0xEE where body.has("Adobe"): hasAdobeMarker = true
            default: break
            }
            offset += length
        }
        guard size.width > 0, size.height > 0 else { return nil }
        if partCount > 0, profileParts.count == partCount, (1...partCount).allSatisfy({ profileParts[$0] != nil }) {
            profile = (1...partCount).flatMap { Array(profileParts[$0]?.bytes ?? .init(start: nil, count: 0)) }
        }
    }

    /// The next marker's code; `offset` ends behind it. Bytes between segments are skipped, as libjpeg does.
    private static func nextMarker(_ reader: ByteReader, _ offset: inout Int) -> Int? {
        while let byte = reader.u8(offset), let code = reader.u8(offset + 1) {
            if byte == 0xFF, code != 0, code != 0xFF {
                offset += 2
                return code
            }
            offset += 1
        }
        return nil
    }

    private mutating func readFrame(_ body: ByteReader) -> Bool {
        guard let precision = body.u8(0), let height = body.be16(1), let width = body.be16(3), let count = body.u8(5),
            precision > 0, count > 0, size.width == 0
        else { return false }
        size = PixelSize(width: width, height: height)
        components = count
        let factors = (0..<count).map { body.u8(6 + 3 * $0 + 1) ?? 0x11 }
        let most = factors.reduce(into: (across: 1, down: 1)) {
            $0 = (max($0.across, $1 >> 4), max($0.down, $1 & 15))
        }
        blockSamples = factors.reduce(0) { sum, factor in
            let blocksAcross = (width * max(1, factor >> 4) + 8 * most.across - 1) / (8 * most.across)
            let blocksDown = (height * max(1, factor & 15) + 8 * most.down - 1) / (8 * most.down)
            return sum.saturatingSum(saturatingProduct(blocksAcross, blocksDown, 64))
        }
        return true
    }
}
