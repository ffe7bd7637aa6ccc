import ImageCodecs
import PhotoDevelopment
import PhotoPipeline

/// `classicphotos filter`: one local picture.
enum FilterCommand {
    static let parser = {
        var parser = OptionParser(
            command: "classicphotos filter",
            arguments: "IN OUT",
            summary: "Filters the picture IN into the file OUT, whose ending says the format: jpg, png, webp or avif.",
            details: """
                A file OUT that is there is replaced; the picture IN itself only with --force.

                Exit status: 0 done, 1 the picture cannot be read, 2 wrong usage, 4 the result cannot be written.

                Examples:
                  classicphotos filter photo.jpg old.jpg
                  classicphotos filter logo.svg grey.png --filter "grayscale(1)" --size 256
                """)
        PictureOptions.add(to: &parser, sizeHelp: "The longest side; never enlarges (default: as it is)")
        OverwriteGuard.add(to: &parser)
        return parser
    }()

    static func run(arguments: [String]) async -> ExitStatus {
        let job: (input: String, output: String, filter: FilterChain, longestSide: Int?, encoder: ImageEncoder)
        do throws(UsageError) {
            let values = try parser.parse(arguments)
            if values.has("help") {
                Console.output(parser.help)
                return .success
            }
            guard values.arguments.count == 2 else { throw UsageError("which picture, and into which file?") }
            try OverwriteGuard.check(values, input: values.arguments[0], output: values.arguments[1])
            let ending = values.arguments[1].split(separator: ".").last.map(String.init) ?? ""
            job = (
                values.arguments[0], values.arguments[1], try PictureOptions.filter(values),
                try values.number("size", in: 1...65_535), try PictureOptions.encoder(values, formatName: ending)
            )
        } catch {
            return Console.usageError(error, command: "filter")
        }
        do throws(PhotoError) {
            try await LocalPicture.develop(
                job.input, to: job.output, filter: job.filter, longestSide: job.longestSide, encoder: job.encoder)
            return .success
        } catch {
            Console.error("classicphotos: \(message(error, about: job.input).printable)\n")
            return error.reason == .writeFailed ? .unwritableOutput : .someFailed
        }
    }

    /// What went wrong, with the file that it went wrong with.
    private static func message(_ error: PhotoError, about input: String) -> String {
        switch error.reason {
        // These name their file.
        case .notFound, .writeFailed: error.detail
        default: "\(input): \(error.detail)"
        }
    }
}
