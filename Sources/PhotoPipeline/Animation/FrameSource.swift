import FoundationEssentials
import ImageCodecs
import Pixels

/// Where frames come from: an animation, or a picture of one frame.
struct FrameSource: Sendable {
    let frameCount: Int
    /// As large as one frame is decoded.
    let frameSize: PixelSize
    /// The bytes of a frame; nil for one that is refused.
    let frameBytes: Int?
    /// How large it is beside the published picture.
    let scale: Double
    private let read: @Sendable (Int, @escaping @Sendable () -> Bool) -> Result<AnimationFrame, ImageCodecError>

    /// Reads the header, and applies the limits that can be applied to it.
    init(
        _ data: Data, options: DecodeOptions, decoder: DecoderSelection, isCancelled: @escaping @Sendable () -> Bool
    ) throws(ImageCodecError) {
        let limits = decoder.limits
        if let file = try decoder.ownFile(data) {
            frameCount = 1
            frameSize = options.resize?.size(of: file.size) ?? file.size
            frameBytes = file.mostBytes(options)
            scale = options.resize?.scale(of: file.size) ?? 1
            read = { _, isCancelled in
                Result { () throws(ImageCodecError) in
                    AnimationFrame(image: try file.decoded(options, isCancelled: isCancelled), duration: .zero)
                }
            }
            return
        }
        let info = try ImageDecoder.probe(data, limits: limits, isCancelled: isCancelled)
        frameSize = options.resize?.size(of: info.size) ?? info.size
        frameBytes = frameSize.imageBytes(within: limits)
        scale = options.resize?.scale(of: info.size) ?? 1
        guard info.format == .gif || info.format == .webp else {
            frameCount = 1
            read = { _, isCancelled in
                Result { () throws(ImageCodecError) in
                    AnimationFrame(
                        image: try decoder.decoded(data, options, isCancelled: isCancelled).pixels, duration: .zero)
                }
            }
            return
        }
        let animation = try Animation(data, options, limits: limits)
        frameCount = animation.frameCount
        read = { index, isCancelled in
            Result { () throws(ImageCodecError) in try animation.frame(index, isCancelled: isCancelled) }
        }
    }

    func frame(
        _ index: Int, isCancelled: @escaping @Sendable () -> Bool
    ) throws(ImageCodecError) -> AnimationFrame {
        try read(index, isCancelled).get()
    }
}
