internal import CVips
internal import Pixels

/// The frames of one GIF or WebP, one at a time, in the process that it is used in.
///
/// libvips gives a GIF as one tall picture, and unpacks of it only the frame whose rows are read. Going forward from
/// frame to frame is what it can; to go back it is opened again. A WebP it would unpack whole, so that is opened for
/// each frame.
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
        file.deallocate()
    }

    /// The frame of a number from 0, drawn over those before it, and for how long it is shown.
    func frame(_ index: Int, watch: DecodeWatch) throws(ImageCodecError) -> AnimationFrame {
        guard (0..<header.frames).contains(index) else { throw .damaged("it has no frame \(index + 1)") }
        let work = try VipsWork()
        defer { work.end() }
        do throws(ImageCodecError) {
            if all == nil || index < next || format == .webp { try open(at: index, work) }
            guard let all else { throw .damaged("") }
            let place = format == .webp ? 0 : index
            // libvips counts no frame whose data it cannot follow.
            let height = Int(vips_image_get_page_height(all))
            guard height > 0, (place + 1) * height <= Int(all.pointee.Ysize) else {
                throw .damaged("it has no frame \(index + 1)")
            }
            // Row by row: asked to leave them out, libvips would hold all that it leaves out at once.
            try VipsRows(all, rows: min(next, place) * height..<place * height).forEach(watch: watch) { _, _ in }
            var actual = header
            actual.size = PixelSize(width: Int(all.pointee.Xsize), height: height)
            let plan = format == .webp ? plan : actual.plan(options, isMoving: true)
            var made = VipsImages()
            defer { made.release() }
            let image = try VipsDecoder.pixels(
                all, &made, work, format, header.orientation, plan.layout, watch,
                rows: place * height..<(place + 1) * height, cover: header.cover?.shown(at: index, of: actual.size))
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

    private func open(at index: Int, _ work: VipsWork) throws(ImageCodecError) {
        close()
        let scale = format == .webp ? VipsDecoder.webpScale(header, plan.layout) : 1
        guard let loader = VipsDecoder.loader(for: format) else { throw .unsupportedFormat(format.rawValue) }
        let page = format == .webp ? Int32(index) : 0
        let pages: Int32 = header.frames > 1 ? -1 : 1
        all = images.made(by: { cvips_load(loader, file.baseAddress, file.count, scale, page, pages, $0) })
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
    }
}
