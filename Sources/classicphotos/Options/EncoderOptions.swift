import ImageCodecs
import Wording

/// The options that say how a picture is written.
enum EncoderOptions {
    static func add(to parser: inout OptionParser) {
        parser.value("quality", short: "q", "1-100", "Of the formats that lose something (default: 85)")
        parser.flag("progressive", "JPEG in several scans, which shows coarsely at first while it arrives")
        parser.flag("optimize", "JPEG with code tables made for each picture: some percent smaller")
        parser.value(
            "chroma", "CHROMA", "Colours of JPEG and AVIF: 444, or 420 for half the size (default: by quality)")
        parser.flag("lossless", "WebP that keeps each pixel that can be seen; PNG always does")
        parser.value("avif-speed", "0-9", "From 0, the smallest AVIF, to 9, the fastest written (default: 7)")
        parser.value(
            "metadata", "KEPT", "keep: date, camera, place and the like (EXIF, XMP); drop: nothing (default: drop)")
        parser.value("background", "COLOUR", "Under transparent pictures in JPEG (default: white)")
    }

    /// Whether EXIF and XMP are written with a picture.
    static func keepsMetadata(_ values: OptionValues) throws(UsageError) -> Bool {
        switch values.text("metadata")?.lowercased() {
        case nil, "drop": return false
        case "keep": return true
        case let other?: throw UsageError("--metadata takes keep or drop, not \(other.printable)")
        }
    }

    /// The encoder of a format, with what the options say.
    static func encoder(_ values: OptionValues, formatName name: String) throws(UsageError) -> ImageEncoder {
        try encoders(values, formatNames: [name])[0]
    }

    /// The encoders of formats, each with what the options say of it.
    static func encoders(
        _ values: OptionValues, formatNames names: [String]
    ) throws(UsageError) -> [ImageEncoder] {
        var formats: [ImageEncoder.Format] = []
        for name in names { formats.append(try format(name)) }
        try check(values, formats)
        var encoders: [ImageEncoder] = []
        for format in formats { encoders.append(try encoder(values, of: format)) }
        return encoders
    }

    private static func format(_ name: String) throws(UsageError) -> ImageEncoder.Format {
        guard let format = ImageEncoder.Format(rawValue: name.lowercased() == "jpg" ? "jpeg" : name.lowercased()) else {
            let names = ImageEncoder.Format.allCases.map(\.rawValue)
            throw UsageError(noFormat: name, among: names)
        }
        return format
    }

    private static func encoder(
        _ values: OptionValues, of format: ImageEncoder.Format
    ) throws(UsageError) -> ImageEncoder {
        var encoder = ImageEncoder(format: format)
        encoder.quality = try values.number("quality", in: 1...100) ?? encoder.quality
        if let text = values.text("background") {
            encoder.background = try background(text)
        }
        encoder.isProgressive = values.has("progressive") && isFor(format, "progressive")
        encoder.optimizesCoding = values.has("optimize") && isFor(format, "optimize")
        encoder.isLossless = values.has("lossless") && isFor(format, "lossless")
        let (chroma, speed) = (try chroma(values), try values.number("avif-speed", in: 0...9))
        if isFor(format, "chroma") { encoder.chromaSubsampling = chroma }
        if isFor(format, "avif-speed") { encoder.avifSpeed = speed ?? encoder.avifSpeed }
        return encoder
    }

    /// The options that mean something in some formats only.
    private static let meanings: [(option: String, formats: [ImageEncoder.Format])] = [
        ("progressive", [.jpeg]), ("optimize", [.jpeg]), ("chroma", [.jpeg, .avif]), ("lossless", [.webp, .png]),
        ("avif-speed", [.avif]),
    ]

    private static func isFor(_ format: ImageEncoder.Format, _ option: String) -> Bool {
        meanings.contains { $0.option == option && $0.formats.contains(format) }
    }

    /// An option that means nothing in any of the formats is a slip, of the option or of the format.
    private static func check(_ values: OptionValues, _ written: [ImageEncoder.Format]) throws(UsageError) {
        for (option, formats) in meanings where values.has(option) || values.text(option) != nil {
            guard !written.contains(where: formats.contains) else { continue }
            let names = formats.map(\.rawValue).joined(separator: tr(" and "))
            let others = Set(written.map(\.rawValue)).sorted().joined(separator: tr(" and "))
            throw UsageError("--\(option) is for \(names), and the pictures are written as \(others)")
        }
        // The quality may be that of other pictures.
        if written.allSatisfy({ $0 == .webp }), values.has("lossless"), values.text("quality") != nil {
            throw UsageError("--lossless and --quality cannot be given together")
        }
    }

    private static func chroma(_ values: OptionValues) throws(UsageError) -> ImageEncoder.ChromaSubsampling? {
        guard let text = values.text("chroma") else { return nil }
        let digits = text.filter { $0 != ":" }
        guard let chroma = ImageEncoder.ChromaSubsampling.allCases.first(where: { $0.digits == digits }) else {
            throw UsageError("--chroma takes 444 (colours at full size) or 420 (at half), not \(text.printable)")
        }
        return chroma
    }

    private static func background(_ text: String) throws(UsageError) -> ImageEncoder.Background {
        switch text.lowercased() {
        case "white": return .white
        case "black": return .black
        default:
            guard text.hasPrefix("#"), text.utf8.count == 7, text.dropFirst().allSatisfy(\.isHexDigit),
                let number = UInt32(text.dropFirst(), radix: 16)
            else {
                throw UsageError("--background takes white, black or #rrggbb, not \(text.printable)")
            }
            return ImageEncoder.Background(
                red: UInt8(number >> 16), green: UInt8(number >> 8 & 255), blue: UInt8(number & 255))
        }
    }
}

extension ImageEncoder.ChromaSubsampling {
    /// As the command line has it.
    var digits: String { rawValue.filter { $0 != ":" } }
}
