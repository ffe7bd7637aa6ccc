import FoundationEssentials
import ImageCodecs
import Pixels

/// Decodes pictures of all kinds: those of the client's own decoders, and those that are known.
struct DecoderSelection: Sendable {
    let limits: DecodeLimits
    private let own: [any ImageDecoding]

    init(_ own: [any ImageDecoding], limits: DecodeLimits) {
        self.own = own
        self.limits = limits
    }

    /// A file that one of the client's decoders reads.
    struct OwnFile: Sendable {
        /// The published size.
        let size: PixelSize
        private let decoder: any ImageDecoding
        private let bytes: Data
        private let limits: DecodeLimits

        fileprivate init(_ decoder: any ImageDecoding, size: PixelSize, _ bytes: Data, _ limits: DecodeLimits) {
            self.decoder = decoder
            self.size = size
            self.bytes = bytes
            self.limits = limits
        }

        /// The bytes that pictures take while it is decoded; nil for one that is refused.
        func mostBytes(_ options: DecodeOptions) -> Int? {
            ForeignDecoding(of: size, options, limits: limits).mostBytes
        }

        func decoded(
            _ options: DecodeOptions, isCancelled: @escaping @Sendable () -> Bool
        ) throws(ImageCodecError) -> PixelBuffer {
            try ForeignDecoding(of: size, options, limits: limits).decoded(isCancelled: isCancelled) {
                (hasToStop) throws(ImageCodecError) in try decoder.decode(bytes, options, isCancelled: hasToStop)
            }
        }
    }

    /// The file as one of the client's decoders reads it; nil if none does.
    func ownFile(_ bytes: Data) throws(ImageCodecError) -> OwnFile? {
        guard !own.isEmpty, !bytes.isEmpty else { return nil }
        // Indices from 0, as is promised.
        let bytes = bytes.startIndex == 0 ? bytes : Data(bytes)
        for decoder in own {
            if let size = try decoder.size(of: bytes) { return OwnFile(decoder, size: size, bytes, limits) }
        }
        return nil
    }

    /// Whether one of the client's decoders reads the file, or fails at it.
    func isOwn(_ bytes: Data) -> Bool {
        do throws(ImageCodecError) { return try ownFile(bytes) != nil } catch { return true }
    }

    /// The bytes that pictures take while one is decoded; nil for what is refused.
    func mostBytes(of bytes: Data, _ options: DecodeOptions) -> Int? {
        do throws(ImageCodecError) {
            if let file = try ownFile(bytes) { return file.mostBytes(options) }
            return ImageDecoder.mostBytes(of: bytes, options, limits: limits)
        } catch {
            return nil
        }
    }

    func decoded(
        _ bytes: Data, _ options: DecodeOptions, isCancelled: @escaping @Sendable () -> Bool
    ) throws(ImageCodecError) -> ScaledImage {
        if let file = try ownFile(bytes) {
            let picture = try file.decoded(options, isCancelled: isCancelled)
            return ScaledImage(
                pixels: picture, scale: options.resize?.scale(of: file.size) ?? 1, publishedSize: file.size)
        }
        let image = try ImageDecoder.decodeWithInfo(bytes, options, limits: limits, isCancelled: isCancelled)
        return ScaledImage(
            pixels: image.pixels, scale: options.resize?.scale(of: image.info.size) ?? 1, metadata: image.metadata,
            publishedSize: image.info.size, damage: image.damage)
    }
}
