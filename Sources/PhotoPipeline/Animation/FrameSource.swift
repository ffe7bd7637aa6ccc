import FoundationEssentials
import ImageCodecs
import Pixels

/// Where frames come from: an animation, or a picture of one frame.
struct FrameSource: Sendable {
    private enum Content {
        case own(DecoderSelection.OwnFile)
        case still(Data, DecoderSelection)
        case animation(Animation)
    }

    /// As large as one frame is decoded.
    let frameSize: PixelSize
    /// The bytes of a frame; nil for one that is refused.
    let frameBytes: Int?
    /// How large it is beside the published picture.
    let scale: Double
    private let content: Content
    private let options: DecodeOptions

    /// Reads the header, and applies the limits that can be applied to it.
    init(
        _ data: Data, options: DecodeOptions, decoder: DecoderSelection, isCancelled: @escaping @Sendable () -> Bool
    ) throws(ImageCodecError) {
        self.options = options
        let limits = decoder.limits
        if let file = try decoder.ownFile(data) {
            content = .own(file)
            frameSize = options.resize?.size(of: file.size) ?? file.size
            frameBytes = file.mostBytes(options)
            scale = options.resize?.scale(of: file.size) ?? 1
            return
        }
        let info = try ImageDecoder.probe(data, limits: limits, isCancelled: isCancelled)
        frameSize = options.resize?.size(of: info.size) ?? info.size
        frameBytes = frameSize.imageBytes(within: limits)
        scale = options.resize?.scale(of: info.size) ?? 1
        switch info.format {
        case .gif, .webp: content = .animation(try Animation(data, options, limits: limits))
        default: content = .still(data, decoder)
        }
    }

    var frameCount: Int {
        if case .animation(let animation) = content { animation.frameCount } else { 1 }
    }

    /// How many times the frames are played; 0 for without end.
    var loopCount: Int {
        if case .animation(let animation) = content { animation.loopCount } else { 1 }
    }

    func frame(
        _ index: Int, isCancelled: @escaping @Sendable () -> Bool
    ) throws(ImageCodecError) -> AnimationFrame {
        switch content {
        case .own(let file):
            AnimationFrame(image: try file.decoded(options, isCancelled: isCancelled), duration: .zero)
        case .still(let data, let decoder):
            AnimationFrame(
                image: try decoder.decoded(data, options, isCancelled: isCancelled).pixels, duration: .zero)
        case .animation(let animation): try animation.frame(index, isCancelled: isCancelled)
        }
    }
}
