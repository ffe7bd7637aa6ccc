import Glibc
import ImageCodecs
import PhotoPipeline

/// Decoding made slower on purpose, to measure that a slow decoder does not let downloads pile up.
///
/// `CLASSICPHOTOS_SLOW_DECODING=10` makes each decoding take ten times as long, by waiting.
enum SlowDecoding {
    static func fromEnvironment(limits: DecodeLimits) -> PictureDecoding? {
        guard let text = getenv("CLASSICPHOTOS_SLOW_DECODING"), let factor = Int32(String(cString: text)), factor > 1
        else { return nil }
        return { (bytes, options, isCancelled) throws(ImageCodecError) in
            let began = ContinuousClock.now
            let image = try ImageDecoder.decodeWithInfo(
                bytes, options, limits: limits, isCancelled: isCancelled)
            let wait = (ContinuousClock.now - began) * Int(factor - 1)
            var time = timespec(
                tv_sec: Int(wait.components.seconds), tv_nsec: Int(wait.components.attoseconds / 1_000_000_000))
            nanosleep(&time, nil)
            return image
        }
    }
}
