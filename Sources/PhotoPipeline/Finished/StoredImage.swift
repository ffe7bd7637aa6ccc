import FoundationEssentials
import ImageCodecs
import Pixels
import Transfers

/// What is known of a finished picture on disk beside its pixels.
struct StoredImage: StoredRecord, Codable {
    static var kind: String { "images" }

    let width: Int
    let height: Int
    let isOpaque: Bool
    let scale: Double
    let exif: Data?
    let xmp: Data?
    /// When it was made, in seconds since 1970.
    let madeAt: Int
    let bodyCount: Int
    let bodyChecksum: UInt64

    var size: PixelSize { PixelSize(width: width, height: height) }

    /// Bytes of the pixels in memory.
    var byteCount: Int { width * height * 4 }

    init(_ image: ScaledImage, packed: Data, madeAt: Int) {
        width = image.pixels.size.width
        height = image.pixels.size.height
        isOpaque = image.pixels.isOpaque
        scale = image.scale
        exif = image.metadata?.exif
        xmp = image.metadata?.xmp
        self.madeAt = madeAt
        bodyCount = packed.count
        bodyChecksum = Checksum.of(packed)
    }

    init?(_ bytes: Data) {
        guard let record = try? JSONDecoder().decode(StoredImage.self, from: bytes), record.isPossible else {
            return nil
        }
        self = record
    }

    /// Whether all numbers are such as can be reckoned with, whoever wrote them.
    private var isPossible: Bool {
        let sides = 1...(1 << 24)
        guard sides.contains(width), sides.contains(height), scale > 0, scale.isFinite, bodyCount >= 0 else {
            return false
        }
        // As much as zstd makes of a byte at most.
        return byteCount / 4 <= bodyCount.multipliedReportingOverflow(by: 1 << 17).partialValue
            && (0...(1 << 40)).contains(madeAt) && (exif?.count ?? 0) + (xmp?.count ?? 0) <= 2 * ImageMetadata.mostBytes
    }

    var bytes: Data? { try? JSONEncoder().encode(self) }

    /// The picture; nil if the bytes are not its own.
    func image(_ packed: Data) -> ScaledImage? {
        guard let pixels = PackedPixels.unpack(packed, size: size, isOpaque: isOpaque) else { return nil }
        let hasMetadata = exif != nil || xmp != nil
        return ScaledImage(
            pixels: pixels, scale: scale, metadata: hasMetadata ? ImageMetadata(exif: exif, xmp: xmp) : nil)
    }
}
