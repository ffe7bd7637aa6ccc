import FoundationEssentials
import Glibc
import ImageCodecs
import PhotoPipeline

/// Decodes what is decoded anyway, and takes several times as long, by waiting.
struct SlowDecoder: ImageDecoding {
    let factor: Int

    func size(of bytes: Data) throws(ImageCodecError) -> PixelSize? { try ImageDecoder.probe(bytes).size }

    func decode(
        _ bytes: Data, _ options: DecodeOptions, isCancelled: @escaping @Sendable () -> Bool
    ) throws(ImageCodecError) -> PixelBuffer {
        let began = ContinuousClock.now
        let image = try ImageDecoder.decodeWithInfo(bytes, options, isCancelled: isCancelled)
        let wait = (ContinuousClock.now - began) * (factor - 1)
        var time = timespec(
            tv_sec: Int(wait.components.seconds), tv_nsec: Int(wait.components.attoseconds / 1_000_000_000))
        nanosleep(&time, nil)
        return image.pixels
    }
}
