internal import CVips
internal import Pixels

/// Cuts a picture where people look first, as libvips finds it: strong edges, colours, and skin.
///
/// It is done in the program also for what a helper has decoded: there is nothing left to be read, only pixels.
struct AttentionCrop {
    private let resize: Resize
    private let watch: DecodeWatch

    /// The result of what was decoded before it was known which part of it stays.
    static func finished(
        _ decoded: PixelBuffer, _ options: DecodeOptions, watch: DecodeWatch
    ) throws(ImageCodecError) -> PixelBuffer {
        guard let resize = options.resize, resize.gravity == .attention else { return decoded }
        return try AttentionCrop(resize: resize, watch: watch).cut(decoded)
    }

    private func cut(_ picture: PixelBuffer) throws(ImageCodecError) -> PixelBuffer {
        try watch.check()
        var layout = resize.layout(of: picture.size)
        guard layout.isCut else { return picture }
        // The picture is no larger than `whole`, which it may be enlarged to yet.
        let across = Double(layout.whole.width) / Double(picture.size.width)
        let down = Double(layout.whole.height) / Double(picture.size.height)
        let window = PixelSize(
            width: min(picture.size.width, max(1, Int((Double(layout.size.width) / across).rounded()))),
            height: min(picture.size.height, max(1, Int((Double(layout.size.height) / down).rounded()))))
        let place = try Self.place(of: window, in: picture)
        layout.left = min(layout.whole.width - layout.size.width, Int((Double(place.x) * across).rounded()))
        layout.top = min(layout.whole.height - layout.size.height, Int((Double(place.y) * down).rounded()))
        try watch.check()
        guard let cut = picture.resampled(layout) else {
            let bytes = saturatingProduct(layout.size.width, layout.size.height, 4)
            throw .tooMuchMemory(needed: bytes, limit: bytes)
        }
        return cut
    }

    private static func place(
        of window: PixelSize, in picture: PixelBuffer
    ) throws(ImageCodecError) -> (x: Int, y: Int) {
        let work = try VipsWork()
        defer { work.end() }
        var images = VipsImages()
        defer { images.release() }
        return picture.withUnsafeBytes { pixels in
            guard
                let whole = images.keep(
                    cvips_wrap(
                        pixels.baseAddress, pixels.count, Int32(picture.size.width), Int32(picture.size.height), 4,
                        VIPS_INTERPRETATION_sRGB)),
                let image = picture.isOpaque ? images.made(by: { cvips_first_bands(whole, $0, 3) }) : whole,
                let cut = images.made(by: {
                    cvips_cut_by_attention(image, $0, Int32(window.width), Int32(window.height))
                })
            else {
                // Its middle, if nothing can be found.
                return ((picture.size.width - window.width) / 2, (picture.size.height - window.height) / 2)
            }
            return (max(0, -Int(cut.pointee.Xoffset)), max(0, -Int(cut.pointee.Yoffset)))
        }
    }
}
