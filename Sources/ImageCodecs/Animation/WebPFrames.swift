internal import CWebP

/// The frames of an animated WebP, each drawn over those before it, by libwebp's own decoder of animations.
///
/// It holds two pictures of the whole canvas. Going forward costs each frame once; going back begins again with the first. libvips
/// would unpack all frames at once, or, for each one, those before it again.
final class WebPFrames {
    private let decoder: OpaquePointer
    let width: Int
    let height: Int
    /// The colour profile of all frames; empty where there is none.
    let profile: [UInt8]
    private let count: Int
    private var next = 0
    /// When the last frame ends, in milliseconds from the first one's beginning.
    private var end: Int32 = 0

    /// - Parameter file: Has to stay in its place.
    /// - Returns: Nil for what is no whole WebP.
    init?(_ file: UnsafeMutableRawBufferPointer) {
        var options = WebPAnimDecoderOptions()
        guard WebPAnimDecoderOptionsInit(&options) != 0 else { return nil }
        options.color_mode = MODE_RGBA
        options.use_threads = 0
        var data = WebPData(bytes: file.baseAddress?.assumingMemoryBound(to: UInt8.self), size: file.count)
        guard let decoder = WebPAnimDecoderNew(&data, &options) else { return nil }
        var info = WebPAnimInfo()
        guard WebPAnimDecoderGetInfo(decoder, &info) != 0 else {
            WebPAnimDecoderDelete(decoder)
            return nil
        }
        self.decoder = decoder
        (width, height, count) = (Int(info.canvas_width), Int(info.canvas_height), Int(info.frame_count))
        profile = Self.profile(in: decoder)
    }

    deinit { WebPAnimDecoderDelete(decoder) }

    private static func profile(in decoder: OpaquePointer) -> [UInt8] {
        var chunk = WebPChunkIterator()
        guard WebPDemuxGetChunk(WebPAnimDecoderGetDemuxer(decoder), "ICCP", 1, &chunk) != 0 else { return [] }
        defer { WebPDemuxReleaseChunkIterator(&chunk) }
        return Array(UnsafeBufferPointer(start: chunk.chunk.bytes, count: chunk.chunk.size))
    }

    /// Decodes up to a frame, from 0.
    /// - Returns: Its pixels, red, green, blue and alpha, which hold until the next call, and for how long it is shown.
    /// - Throws: `damaged` where it, or one before it, cannot be decoded.
    func frame(
        _ index: Int, watch: DecodeWatch
    ) throws(ImageCodecError) -> (pixels: UnsafeRawBufferPointer, duration: Duration) {
        if index < next {
            WebPAnimDecoderReset(decoder)
            (next, end) = (0, 0)
        }
        var pixels: UnsafeMutablePointer<UInt8>?
        var duration = Duration.zero
        while next <= index {
            try watch.check()
            var now: Int32 = 0
            guard next < count, WebPAnimDecoderGetNext(decoder, &pixels, &now) != 0 else {
                throw .damaged("it has no frame at index \(index)")
            }
            duration = .milliseconds(Int(max(0, now - end)))
            end = now
            next += 1
        }
        guard let pixels else { throw .damaged("it has no frame at index \(index)") }
        return (UnsafeRawBufferPointer(start: pixels, count: width * height * 4), duration)
    }
}
