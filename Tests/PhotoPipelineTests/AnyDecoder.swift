import Foundation
import ImageCodecs
import PhotoPipeline
import Pixels

/// Decodes files of the kinds that are known, but animations, as a closure says.
struct AnyDecoder: ImageDecoding {
    typealias Decoding =
        @Sendable (
            _ bytes: Data, _ options: DecodeOptions, _ isCancelled: @escaping @Sendable () -> Bool
        ) throws(ImageCodecError) -> PixelBuffer

    let decoding: Decoding

    init(_ decoding: @escaping Decoding) {
        self.decoding = decoding
    }

    func size(of bytes: Data) throws(ImageCodecError) -> PixelSize? {
        do throws(ImageCodecError) {
            let info = try ImageDecoder.probe(bytes)
            return info.format == .gif ? nil : info.size
        } catch {
            return nil
        }
    }

    func decode(
        _ bytes: Data, _ options: DecodeOptions, isCancelled: @escaping @Sendable () -> Bool
    ) throws(ImageCodecError) -> PixelBuffer { try decoding(bytes, options, isCancelled) }
}
