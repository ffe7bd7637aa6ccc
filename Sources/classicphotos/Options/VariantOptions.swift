import ImageCodecs
import PhotoDevelopment
import PhotoPipeline
import Wording

/// The option that asks for several pictures of each photo.
enum VariantOptions {
    static func add(to parser: inout OptionParser) {
        parser.values(
            "variant", "SPEC", "One of several pictures of each photo: NAME:SIZE:FILTER:FORMAT, see below")
    }

    /// What the option takes, for the help; the example can be typed as it stands.
    static let help = """
        --variant makes several pictures of each photo, of one download; it is given once for each:
          --variant thumb:256x256::webp  --variant "large:2048:sepia(60%) contrast(1.1):"
        NAME is a word of letters, digits, - and _. SIZE, FILTER and FORMAT are as for --size, --filter and --format, and
        where they are empty, what those say; all other options are for every variant whose format knows them. The
        pictures are DIR/thumb/PHOTO.webp and DIR/large/PHOTO.jpg, or in a data set KEY.thumb.webp and KEY.large.jpg. A
        photo is done when all of its pictures are there, and fails as a whole. What has room for one shows the first.
        """

    private static let form: Message =
        "NAME:SIZE:FILTER:FORMAT, where all but NAME may be empty, as in thumb:256x256::webp"

    /// One variant as it was typed.
    private struct Words {
        let name: String
        let size: String
        let filter: String
        let format: String

        /// Behind the second colon and before the last one is the filter, whatever it holds.
        init(_ text: String) throws(UsageError) {
            let parts = text.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
            guard parts.count == 3, let last = parts[2].lastIndex(of: ":") else {
                let colons = text.count { $0 == ":" }
                throw UsageError(
                    "--variant takes \(form); \(text.printable) has \(colons) of the three colons")
            }
            name = String(parts[0])
            size = String(parts[1])
            filter = String(parts[2][..<last])
            format = String(parts[2][parts[2].index(after: last)...])
        }
    }

    /// What `--variant` asks for; an empty list where it is not given.
    static func variants(_ values: OptionValues) throws(UsageError) -> [DevelopmentOptions.Variant] {
        var all: [Words] = []
        for text in values.list("variant") { all.append(try Words(text)) }
        guard !all.isEmpty else { return [] }
        let usualSize = DevelopmentOptions(output: "").resize
        let usualFormat = values.text("format") ?? "jpeg"
        let intensity = try ImageOptions.intensity(values)
        let encoders = try EncoderOptions.encoders(
            values, formatNames: all.map { $0.format.isEmpty ? usualFormat : $0.format })
        var variants: [DevelopmentOptions.Variant] = []
        for (words, encoder) in zip(all, encoders) {
            let option = "--variant \(words.name.printable)"
            let filter =
                try words.filter.isEmpty
                ? ImageOptions.filter(values) : ImageOptions.filter(parsing: words.filter, of: option + ": ")
            let resize =
                try words.size.isEmpty
                ? ResizeOptions.resize(values) ?? usualSize
                : ResizeOptions.resize(values, size: words.size, of: tr("SIZE of \(option)"))
            do throws(DevelopmentOptions.Variant.NameError) {
                var variant = try DevelopmentOptions.Variant(
                    words.name, filter: filter, resize: resize, encoder: encoder)
                variant.intensity = intensity
                variants.append(variant)
            } catch {
                throw UsageError("--variant \("\(error)".printable)")
            }
        }
        return variants
    }
}
