import ImageCodecs
import PhotoPipeline

/// The options that say what is made of a picture, which several commands share.
enum PictureOptions {
    static func add(to parser: inout OptionParser, sizeHelp: String) {
        parser.value("filter", short: "f", "CHAIN", "CSS filter functions (default: sepia-tone(0.8))")
        parser.value("look", short: "l", "NAME", "A named look, short for --filter \"look(NAME)\"")
        parser.value("size", short: "s", "PIXELS", sizeHelp)
        parser.value("quality", short: "q", "1-100", "Of the formats that lose something (default: 85)")
        parser.value("background", "COLOUR", "Under transparent pictures in JPEG (default: white)")
    }

    /// The chain that `--filter` or `--look` names; the classic sepia where neither is given.
    static func filter(_ values: OptionValues) throws(UsageError) -> FilterChain {
        let text: String
        switch (values.text("filter"), values.text("look")) {
        case (nil, nil): return .classic
        case (let filter?, nil): text = filter
        case (nil, let look?): text = "look(\(look))"
        case (_?, _?): throw UsageError("--filter and --look cannot be given together; a chain may hold look(NAME)")
        }
        do {
            return try FilterChain(parsing: text)
        } catch {
            throw UsageError(
                "\(error)\n  \(text.printable)\n  " + String(repeating: " ", count: max(0, error.column - 1)) + "^")
        }
    }

    /// The encoder of a format, with what `--quality` and `--background` say.
    static func encoder(_ values: OptionValues, formatName name: String) throws(UsageError) -> ImageEncoder {
        guard let format = ImageEncoder.Format(rawValue: name.lowercased() == "jpg" ? "jpeg" : name.lowercased()) else {
            let names = ImageEncoder.Format.allCases.map(\.rawValue).joined(separator: ", ")
            throw UsageError("there is no format \(name.printable); there are \(names)")
        }
        var encoder = ImageEncoder(format: format)
        encoder.quality = try values.number("quality", in: 1...100) ?? encoder.quality
        if let text = values.text("background") {
            encoder.background = try background(text)
        }
        return encoder
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
