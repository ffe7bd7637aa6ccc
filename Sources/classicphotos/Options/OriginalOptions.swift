import PhotoDevelopment
import Wording

/// The option to write photos as they came.
enum OriginalOptions {
    static func add(to parser: inout OptionParser) {
        parser.flag("original", "Write the photos as they came, once decoding has found no fault in them")
    }

    /// What says how a picture is made, which is not what is asked for.
    private static let others = [
        "variant", "filter", "look", "intensity", "size", "resize", "gravity", "enlarge", "format", "quality",
        "progressive", "optimize", "chroma", "lossless", "avif-speed", "metadata", "background",
    ]

    static func apply(_ values: OptionValues, to options: inout DevelopmentOptions) throws(UsageError) {
        guard values.has("original") else { return }
        for other in others where values.has(other) || values.text(other) != nil || !values.list(other).isEmpty {
            throw UsageError("--original writes photos as they came, and --\(other) says how to make others of them")
        }
        if values.has("skip-existing") {
            throw UsageError(
                "--skip-existing looks for files by their names, and --original does not know how they end")
        }
        options.keepsOriginals = true
    }
}
