internal import CVips
internal import Pixels

/// The frames of one GIF or WebP, one at a time, in the process that it is used in.
///
/// libvips gives a GIF as one tall picture, and unpacks of it only the frame whose rows are read. Going forward from
/// frame to frame is what it can; to go back it is opened again. A WebP of several frames is libwebp's, see ``WebPFrames``.
///
/// Used by one thread at a time.
final class FrameReader {
    /// A copy that stays in its place as long as libvips reads from it.
    private let file: UnsafeMutableRawBufferPointer
    private let format: ImageFormat
    private let header: ImageHeader
    private let options: DecodeOptions
    private let plan: DecodePlan
    /// What the header says.
    let info: ImageInfo
    private var images = VipsImages()
    private var all: UnsafeMutablePointer<VipsImage>?
    private var next = 0
    /// A WebP that moves.
    private var webp: WebPFrames?

    init(
        _ reader: ByteReader, _ format: ImageFormat, _ options: DecodeOptions, limits: DecodeLimits
    ) throws(ImageCodecError) {
        let opened = try LocalDecoder.open(reader, format, options, limits: limits, isMoving: true)
        (header, plan, info) = (opened.header, opened.plan, opened.info)
        self.options = options
        guard format == .gif || format == .webp else { throw .unsupportedFormat("an animation that is none") }
        if let mended = try LocalDecoder.mendedFile(opened, reader) {
            file = .allocate(byteCount: mended.count, alignment: 16)
            file.copyBytes(from: mended)
        } else {
            file = .allocate(byteCount: reader.count, alignment: 16)
            file.copyMemory(from: reader.bytes)
        }
        self.format = format
    }

    deinit {
        images.release()
        webp = nil
        file.deallocate()
    }

    /// The frame of a number from 0, drawn over those before it, and for how long it is shown.
    func frame(_ index: Int, watch: DecodeWatch) throws(ImageCodecError) -> AnimationFrame {
        guard (0..<header.frames).contains(index) else { throw .damaged("it has no frame at index \(index)") }
        let work = try VipsWork()
        defer { work.end() }
        do throws(ImageCodecError) {
            if format == .webp, header.frames > 1 { return try webpFrame(index, work, watch) }
            if all == nil || index < next { try open(work) }
            guard let all else { throw .damaged("") }
            // libvips counts no frame whose data it cannot follow.
            let height = Int(vips_image_get_page_height(all))
            guard height > 0, (index + 1) * height <= Int(all.pointee.Ysize) else {
                throw .damaged("it has no frame at index \(index)")
            }
            // Row by row: asked to leave them out, libvips would hold all that it leaves out at once.
            try VipsRows(all, rows: min(next, index) * height..<index * height).forEach(watch: watch) { _, _ in }
            var actual = header
            actual.size = PixelSize(width: Int(all.pointee.Xsize), height: height)
            var made = VipsImages()
            defer { made.release() }
            if header.losesScreen, actual.size != header.size {
                // What other frames have beyond it is lost.
                guard index == 0 else {
                    throw .unsupportedFormat("an animation of more than 2,048 pixels whose first frame is smaller")
                }
                return try firstFrame(of: all, actual.size, &made, work, watch)
            }
            let plan = format == .webp ? plan : actual.plan(options, isMoving: true)
            let image = try VipsDecoder.pixels(
                all, &made, work, format, header.orientation, plan.layout, watch,
                rows: index * height..<(index + 1) * height, cover: header.cover?.shown(at: index, of: actual.size))
            next = index + 1
            return AnimationFrame(
                image: image, duration: .milliseconds(Int(cvips_frame_delay(all, Int32(index)))))
        } catch .damaged("") {
            close()
            throw work.error(for: format)
        } catch {
            // After a fault libvips gives nothing of the same opening any more.
            close()
            throw error
        }
    }

    /// The first frame of a GIF that libvips takes for smaller than it is.
    private func firstFrame(
        of all: UnsafeMutablePointer<VipsImage>, _ size: PixelSize, _ made: inout VipsImages, _ work: VipsWork,
        _ watch: DecodeWatch
    ) throws(ImageCodecError) -> AnimationFrame {
        guard let first = made.made(by: { cvips_cut(all, $0, 0, 0, Int32(size.width), Int32(size.height)) }) else {
            throw .damaged("")
        }
        let image = try VipsDecoder.pixels(
            VipsDecoder.onScreen(first, &made, work, header), &made, work, format, header.orientation,
            header.plan(options, isMoving: true).layout, watch, cover: header.cover?.shown(at: 0, of: header.size))
        // To read it again it is opened again.
        next = header.frames
        return AnimationFrame(image: image, duration: .milliseconds(Int(cvips_frame_delay(all, 0))))
    }

    private func webpFrame(
        _ index: Int, _ work: VipsWork, _ watch: DecodeWatch
    ) throws(ImageCodecError) -> AnimationFrame {
        guard let frames = webp ?? WebPFrames(file) else { throw .damaged("its frames cannot be read") }
        webp = frames
        let (pixels, duration) = try frames.frame(index, watch: watch)
        var made = VipsImages()
        defer { made.release() }
        guard
            let image = made.keep(
                cvips_wrap(
                    pixels.baseAddress, pixels.count, Int32(frames.width), Int32(frames.height), 4,
                    VIPS_INTERPRETATION_sRGB))
        else { throw .damaged("") }
        if !frames.profile.isEmpty { cvips_set_profile(image, frames.profile, frames.profile.count) }
        let isOpaque = stride(from: 3, to: pixels.count, by: 4).allSatisfy { pixels[$0] == 255 }
        guard let shown = isOpaque ? made.made(by: { cvips_first_bands(image, $0, 3) }) : image else {
            throw .damaged("")
        }
        var actual = header
        actual.size = PixelSize(width: frames.width, height: frames.height)
        let picture = try VipsDecoder.pixels(
            shown, &made, work, format, header.orientation, actual.plan(options, isMoving: true).layout, watch)
        return AnimationFrame(image: picture, duration: duration)
    }

    private func open(_ work: VipsWork) throws(ImageCodecError) {
        close()
        let scale = format == .webp ? VipsDecoder.webpScale(header, plan.layout) : 1
        guard let loader = VipsDecoder.loader(for: format) else { throw .unsupportedFormat(format.rawValue) }
        let pages: Int32 = header.frames > 1 ? -1 : 1
        all = images.made(by: { cvips_load(loader, file.baseAddress, file.count, scale, pages, $0) })
        if let whole = all, header.extraColumns > 0 {
            let size = (whole.pointee.Xsize - Int32(header.extraColumns), whole.pointee.Ysize)
            all = images.made(by: { cvips_cut(whole, $0, 0, 0, size.0, size.1) })
        }
        guard all != nil else { throw work.error(for: format) }
    }

    private func close() {
        images.release()
        all = nil
        next = 0
        webp = nil
    }
}
