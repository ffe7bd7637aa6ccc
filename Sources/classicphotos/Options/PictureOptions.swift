/// The options that decide what pictures become: with several machines those that belong to a plan, and not to who does one of its tasks.
enum PictureOptions {
    static func add(to parser: inout OptionParser) {
        ImageOptions.add(to: &parser)
        ResizeOptions.add(to: &parser, usual: "1024")
        EncoderOptions.add(to: &parser)
        VariantOptions.add(to: &parser)
        OriginalOptions.add(to: &parser)
        BoundsOptions.add(to: &parser)
        DamageOptions.add(to: &parser, hasReport: true)
        parser.value("format", "FORMAT", "jpeg, png, webp or avif (default: jpeg)")
        parser.optionalValue("exif", "WHICH", "Tell of each photo's EXIF in KEY.json; all: with people and places")
    }

    private static let parser = {
        var parser = OptionParser(command: "classicphotos plan", arguments: "", summary: "", details: "")
        add(to: &parser)
        return parser
    }()

    private static let options = parser.options.filter { !["help", "list-looks"].contains($0.name) }

    /// Their names.
    static var names: [String] { options.map(\.name) }

    /// Those that a command line has, as it has them.
    static func words(of values: OptionValues) -> [String] {
        options.flatMap { option in
            if values.has(option.name) { return ["--\(option.name)"] }
            let texts = values.text(option.name).map { [$0] } ?? values.list(option.name)
            return texts.map { $0.isEmpty && option.isValueOptional ? "--\(option.name)" : "--\(option.name)=\($0)" }
        }
    }

    /// What such words say.
    static func values(of words: [String]) throws(UsageError) -> OptionValues { try parser.parse(words) }
}
