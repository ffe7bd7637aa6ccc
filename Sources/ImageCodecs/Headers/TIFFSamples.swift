/// What the numbers of a TIFF's first picture are (TIFF 6.0, sections 8, 19, 21 and 23, by the names of its tags).
///
/// libvips takes many of them for something else and says nothing: signed numbers for unsigned ones, YCbCr for RGB.
struct TIFFSamples {
    private enum Format {
        static let (signed, fractions) = (2, 3)
        static let complex = 5...6
    }

    private enum Colours {
        static let (inks, yCbCr, lab, sensor) = (5, 6, 8, 32_803)
        /// Lab by the encodings of ICC and of ITU.
        static let otherLab = 9...10
    }

    /// Compressions whose decoders give RGB for YCbCr: JPEG of both kinds, JPEG 2000 and WebP.
    private static let coloursConverted: Set = [6, 7, 33_003, 33_005, 34_712, 50_001]

    /// Those that libtiff, or libvips in its place, unpacks in some system at least.
    private static let compressions: Set = [
        1, 2, 3, 4, 5, 6, 7, 8, 32_766, 32_771, 32_773, 32_809, 32_946, 33_003, 33_005, 34_661, 34_676, 34_677, 34_712,
        34_887,
        34_925, 50_000, 50_001,
    ]

    private let page: TIFFDirectories.Directory
    private let bits: Int
    private let format: Int
    private let colours: Int
    private let count: Int
    private let compression: Int

    init(_ page: TIFFDirectories.Directory) {
        self.page = page
        bits = page.value(258) ?? 1
        format = page.value(339) ?? 1
        colours = page.value(262) ?? 1
        count = page.value(277) ?? 1
        compression = page.value(259) ?? 1
    }

    /// What kind of samples it has, if nobody would turn them into the right colours.
    var unsupported: String? {
        if format == Format.signed { return "TIFF with signed samples" }
        if Format.complex.contains(format) { return "TIFF with complex numbers" }
        if format == Format.fractions, bits != 32 { return "TIFF with fractions of \(bits) bits" }
        if ![8, 16, 32].contains(bits), count > 1 || ![1, 2, 4].contains(bits) {
            return "TIFF with \(count > 1 ? "\(count) " : "")samples of \(bits) bits"
        }
        // libvips divides by transparency as if that went to 255.
        if bits == 32, page.value(338) == 1 { return "TIFF with samples of 32 bits multiplied by transparency" }
        if let kind = unsupportedJPEG { return kind }
        if !Self.compressions.contains(compression) { return "TIFF with compression of the kind \(compression)" }
        if page.value(262) == nil { return "TIFF that does not say what its samples are" }
        switch colours {
        case Colours.yCbCr where !Self.coloursConverted.contains(compression):
            return "TIFF in YCbCr without JPEG"
        case Colours.inks where bits > 16: return "TIFF in CMYK with samples of \(bits) bits"
        case Colours.lab where count > 3: return "TIFF in Lab with more than three samples"
        case Colours.lab where bits > 16 && format != Format.fractions:
            return "TIFF in Lab with samples of \(bits) bits"
        case Colours.otherLab: return "TIFF in ICCLab or ITULab"
        case Colours.sensor: return "camera raw"
        default: break
        }
        if page.value(284) == 2, count > 1 {
            if page.value(322) != nil { return "TIFF with separate planes in tiles" }
            if count == 2 { return "TIFF with separate planes of grey and transparency" }
        }
        return nil
    }

    /// JPEG that libtiff and libvips leave alone: of the first kind, and without loss.
    private var unsupportedJPEG: String? {
        switch compression {
        case 6: "TIFF with JPEG of the old kind"
        case 7, 99, 33_007, 34_892: hasLosslessJPEG ? "TIFF with lossless JPEG" : nil
        default: nil
        }
    }

    /// Whether the first strip or tile begins a frame of that kind.
    private var hasLosslessJPEG: Bool {
        guard var offset = page.value(273) ?? page.value(324), page.reader.has([0xFF, 0xD8], at: offset) else {
            return false
        }
        offset += 2
        // Each segment in front of the frame has a marker and a length.
        while let marker = page.reader.be16(offset), marker >= 0xFF00, marker & 0xF0 != 0xC0 || marker == 0xFFC4 {
            guard let length = page.reader.be16(offset + 2) else { return false }
            offset += 2 + max(2, length)
        }
        return page.reader.be16(offset) == 0xFFC3
    }

    /// How many of the samples behind the colours say how the pixel is shown: the first one may be transparency, and others are inks,
    /// masks, or anything. Nil where all that are there do.
    var mostExtras: Int? {
        guard let first = page.value(338), let count = page.field(338)?.count else { return nil }
        return first == 0 ? 0 : count > 1 ? 1 : nil
    }
}
