internal import CJPEG
internal import Pixels

/// Takes the rows that libjpeg gives, and says when it shall stop.
///
/// Used by one thread at a time.
final class JPEGRows {
    /// A progressive file of a camera or a web site has about ten scans; the standard's way to split all bits and
    /// coefficients needs fewer than this.
    private static let maxScans: UInt32 = 500

    /// Kept alive by the call of `watched(by:_:)` that is going on.
    private var watch: Unmanaged<DecodeWatch>?
    /// Kept alive by the call of `image(watch:read:)` that is going on.
    private var resampler: Unmanaged<RowResampler>?
    private let header: JPEGHeader
    /// What is made of the stored picture.
    private let layout: Resize.Layout
    private let eighths: UInt32

    init(header: JPEGHeader, plan: DecodePlan) throws(ImageCodecError) {
        guard [1, 3, 4].contains(header.components) else {
            throw .unsupportedFormat("JPEG with \(header.components) components")
        }
        self.header = header
        let layout = header.orientation.stored(plan.layout)
        self.layout = layout
        // The smallest scale that is not below the result. Only halves are taken: libjpeg-turbo has vector code for those
        // alone.
        eighths =
            [1, 2, 4].first { eighths in
                cjpeg_scaled(UInt32(header.size.width), eighths) >= layout.whole.width
                    && cjpeg_scaled(UInt32(header.size.height), eighths) >= layout.whole.height
            } ?? 8
    }

    /// How libjpeg is to give its rows to this object, which must outlive it.
    var output: cjpeg_output {
        cjpeg_output(
            eighths: eighths, final_width: UInt32(clamping: layout.whole.width),
            keeps_inks: header.components == 4 ? 1 : 0,
            max_scans: Self.maxScans, tolerates_damage: 0,
            take_row: { context, row in
                guard let context else { return }
                // Unmanaged, as counting references takes a fifth of the time that scaling a row takes.
                Unmanaged<JPEGRows>.fromOpaque(context)._withUnsafeGuaranteedRef { rows in
                    rows.resampler?._withUnsafeGuaranteedRef { $0.push(row, channels: 4) }
                }
            },
            should_stop: { context in
                guard let context else { return 0 }
                return Unmanaged<JPEGRows>.fromOpaque(context)._withUnsafeGuaranteedRef { rows in
                    rows.watch?._withUnsafeGuaranteedRef { $0.shouldStop() } == true ? 1 : 0
                }
            },
            context: Unmanaged.passUnretained(self).toOpaque())
    }

    /// Has libjpeg work while `watch` is asked whether it shall stop.
    func watched<Result>(by watch: DecodeWatch, _ work: () -> Result) -> Result {
        self.watch = .passUnretained(watch)
        defer { self.watch = nil }
        return withExtendedLifetime((self, watch), work)
    }

    /// The picture of the rows that `read` has given, upright and in sRGB.
    func image(
        watch: DecodeWatch, read: () throws(ImageCodecError) -> Void
    ) throws(ImageCodecError) -> PixelBuffer {
        let scaled = PixelSize(
            width: Int(cjpeg_scaled(UInt32(header.size.width), eighths)),
            height: Int(cjpeg_scaled(UInt32(header.size.height), eighths)))
        // libjpeg rounds up: its last column and row stand for what lies beyond the picture, too.
        let scale = Double(eighths) / 8
        let extent = (width: Double(header.size.width) * scale, height: Double(header.size.height) * scale)
        var buffer = try PixelBuffer(stored: layout.size, orientation: header.orientation, isOpaque: true) {
            canvas throws(ImageCodecError) in
            guard let made = canvas.resampler(from: scaled, covering: extent, to: layout, weighsAlpha: false) else {
                let bytes = saturatingProduct(layout.size.width, layout.size.height, 4)
                throw .tooMuchMemory(needed: bytes, limit: bytes)
            }
            resampler = .passUnretained(made)
            defer { resampler = nil }
            try withExtendedLifetime(made, read)
        }
        if header.components == 4 {
            if header.hasAdobeMarker { buffer.invert() }
            return try ColourConversion(profile: header.profile, source: .inks, watch: watch).converted(buffer)
        }
        guard !header.profile.isEmpty, header.knownColours != .sRGB else { return buffer }
        return try ColourConversion(
            profile: header.knownColours?.profile ?? header.profile,
            source: header.components == 1 ? .grey : .colours, watch: watch
        ).converted(buffer)
    }
}

extension PixelBuffer {
    fileprivate mutating func invert() {
        withUnsafeMutableBytes { bytes in
            for index in bytes.indices { bytes[index] = ~bytes[index] }
        }
    }
}
