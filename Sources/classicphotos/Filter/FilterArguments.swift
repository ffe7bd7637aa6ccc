import Glibc
import ImageCodecs
import PhotoDevelopment
import PhotoPipeline
import Wording

/// The command line of `filter`, understood.
struct FilterArguments {
    /// A path, or `-` for standard input. What was given as a `file:` address is a path here.
    let input: String
    /// A path, or `-` for standard output.
    let output: String
    let filter: FilterChain
    let intensity: Double
    let resize: Resize?
    let encoder: ImageEncoder
    let keepsMetadata: Bool
    let limits: DecodeLimits
    let keepsDamaged: Bool

    static let parser = {
        var parser = OptionParser(
            command: "classicphotos filter",
            arguments: "IN OUT",
            summary: """
                Filters the picture IN into the file OUT, whose ending says the format: jpg, png, webp or avif.

                - is standard input or standard output.
                """,
            details: """
                \(ImageOptions.filterHelp)

                \(ResizeOptions.help)

                A file OUT that is there is replaced; the picture IN itself only with --force.

                Exit status: 0 done, 1 the picture cannot be read, 2 wrong usage, 4 the result cannot be written.

                Examples:
                  classicphotos filter photo.jpg old.jpg
                  classicphotos filter logo.svg grey.png --filter "grayscale(1)" --size 256
                  curl https://example.org/photo.jpg | classicphotos filter - - --look moon > moon.jpg
                """)
        ImageOptions.add(to: &parser)
        ResizeOptions.add(to: &parser, usual: "as it is")
        EncoderOptions.add(to: &parser)
        parser.value("format", "FORMAT", "jpeg, png, webp or avif (default: as OUT ends; jpeg for -)")
        DecodeLimitOptions.add(to: &parser)
        DamageOptions.add(to: &parser, hasReport: false)
        OverwriteGuard.add(to: &parser)
        return parser
    }()

    init(_ values: OptionValues) throws(UsageError) {
        guard values.arguments.count == 2 else { throw UsageError("which picture, and into which file?") }
        let first = values.arguments[0]
        switch Catalog.Source(argument: first) {
        case .standardInput: input = "-"
        case .path(let path): input = path
        case .address:
            throw UsageError(
                "\(first.printable) is an address; this command takes files.\n"
                    + "classicphotos develop downloads: \(CatalogLoading.commandForOne(first).printable)")
        }
        output = values.arguments[1]
        if output == "-", isatty(STDOUT_FILENO) == 1 {
            throw UsageError(
                "standard output is a terminal, which shows no picture; name a file, or send it on with | or >")
        }
        try OverwriteGuard.check(values, input: input, output: output)
        filter = try ImageOptions.filter(values)
        intensity = try ImageOptions.intensity(values)
        keepsMetadata = try EncoderOptions.keepsMetadata(values)
        resize = try ResizeOptions.resize(values)
        limits = try DecodeLimitOptions.limits(values)
        keepsDamaged = DamageOptions.keepsDamaged(values)
        encoder = try EncoderOptions.encoder(values, formatName: try Self.formatName(values, output: output))
    }

    private static func formatName(_ values: OptionValues, output: String) throws(UsageError) -> String {
        if let name = values.text("format") { return name }
        if output == "-" { return "jpeg" }
        let ending = output.split(separator: ".").last?.lowercased() ?? ""
        let endings = ImageEncoder.Format.allCases.flatMap { [$0.rawValue, $0.fileExtension] }
        guard endings.contains(ending) else {
            throw UsageError(
                "the ending of \(output.printable) says no format; jpg, png, webp and avif do, or --format FORMAT")
        }
        return ending
    }
}
