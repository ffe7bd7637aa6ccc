import FoundationEssentials
import PhotoDevelopment
import PhotoPipeline
import Wording

/// `classicphotos filter`: one local picture.
enum FilterCommand {
    static func run(arguments: [String]) async -> ExitStatus {
        let parser = FilterArguments.parser
        let understood: FilterArguments
        do throws(UsageError) {
            guard let values = try parser.read(arguments) else { return .success }
            understood = try FilterArguments(values)
        } catch {
            return Console.usageError(error, command: "filter")
        }
        return await filter(understood)
    }

    private static func filter(_ arguments: FilterArguments) async -> ExitStatus {
        let (input, output) = (arguments.input, arguments.output)
        let bytes: Data
        func tell(_ damage: String) {
            let name = input == "-" ? tr("standard input") : input
            let known = Message(text: damage).translated
            let warning = tr("\(name.printable): The picture is damaged, and kept: \(known.printable).")
            Console.warn("classicphotos: \(warning)\n")
        }
        do throws(PhotoError) {
            bytes = try await LocalImage.developed(
                input == "-" ? .descriptor(0) : .file(input), filter: arguments.filter,
                intensity: arguments.intensity, resize: arguments.resize, encoder: arguments.encoder,
                keepsMetadata: arguments.keepsMetadata, limits: arguments.limits,
                whenDamaged: arguments.keepsDamaged ? tell : nil)
        } catch {
            guard error.reason != .writeFailed else { return unwritable(output, error) }
            Console.error("classicphotos: \(message(error, about: input).printable)\n")
            if let hint = await hint(about: input, after: error) { Console.error("\(hint.printable)\n") }
            return .someFailed
        }
        if output == "-" { return Console.output(bytes) ? .success : .unwritableOutput }
        do throws(PhotoError) {
            try LocalImage.write(bytes, to: output)
            return .success
        } catch {
            return unwritable(output, error)
        }
    }

    private static func unwritable(_ output: String, _ error: PhotoError) -> ExitStatus {
        Console.problem(
            output == "-"
                ? "cannot write to standard output: \(error.toldDetail.printable)"
                : "cannot write \(output.printable): \(error.toldDetail.printable)")
        return .unwritableOutput
    }

    /// What went wrong, with the file that it went wrong with.
    private static func message(_ error: PhotoError, about input: String) -> String {
        if input == "-" { return tr("standard input: \(error.told)") }
        // This one names its file.
        return error.reason == .notFound ? error.told : "\(input): \(error.told)"
    }

    /// Where to turn with a folder of pictures or a catalog.
    private static func hint(about input: String, after error: PhotoError) async -> String? {
        guard input != "-", [.notFound, .notAnImage].contains(error.reason), await CatalogLoading.isCatalog(input)
        else {
            return nil
        }
        return tr("It is a catalog; try: classicphotos develop \(input) --output DIR")
    }
}
