import PhotoDevelopment
import PhotoPipeline

/// `classicphotos catalog`: what is wrong with a catalog, and the same catalog in another format.
enum CatalogCommand {
    static func run(arguments: [String]) async -> ExitStatus {
        switch arguments.first {
        case "check": return await check(Array(arguments.dropFirst()))
        case "convert": return await convert(Array(arguments.dropFirst()))
        case "-h", "--help":
            Console.output(checker.help + "\n" + converter.help)
            return .success
        case let other:
            let problem =
                other.map { "there is no \($0.printable); there are check and convert" } ?? "check or convert?"
            return Console.usageError(UsageError(problem), command: "catalog")
        }
    }

    // MARK: - Check

    static let checker = OptionParser(
        command: "classicphotos catalog check", arguments: "CATALOG",
        summary: "Reads a catalog and says which of its entries name no photo, and where they stand.",
        details: "Exit status: 0 all good, 1 some entries are not, 2 wrong usage, 3 the catalog cannot be read.")

    private static func check(_ arguments: [String]) async -> ExitStatus {
        let argument: String
        do throws(UsageError) {
            let values = try checker.parse(arguments)
            if values.has("help") {
                Console.output(checker.help)
                return .success
            }
            guard values.arguments.count == 1 else { throw UsageError("which catalog? One at a time.") }
            argument = values.arguments[0]
        } catch {
            return Console.usageError(error, command: "catalog check")
        }
        guard let catalog = await CatalogLoading.load(argument) else { return .unreadableCatalog }
        var flawed = 0
        for row in catalog {
            guard case .failure(let error) = row.content else { continue }
            flawed += 1
            let flaw = PhotoError(error)
            var place = row.place.description
            if place.isEmpty { place = "entry \(row.index + 1)" }
            // A broken entry's sentence begins with its place.
            if case .invalidEntry = error { place = "" } else { place += ": " }
            let line = "\(place.printable)\(row.name.printable): \(flaw.detail.printable)\n"
            if !Console.output(line) { return .someFailed }
        }
        Console.output("\(catalog.count) entries (\(catalog.format)), \(flawed) of them name no photo\n")
        return flawed == 0 ? .success : .someFailed
    }

    // MARK: - Convert

    static let converter = {
        var parser = OptionParser(
            command: "classicphotos catalog convert", arguments: "IN OUT",
            summary: """
                Writes the catalog IN to the file OUT, in the format that its ending says: json, csv, tsv, plist, or txt (addresses
                only).
                """,
            details: """
                A file OUT that is there is replaced; the catalog IN itself only with --force.

                Exit status: 0 all written, 1 some entries are broken and were left out, 2 wrong usage, 3 the catalog cannot
                be read, 4 the file cannot be written.
                """)
        OverwriteGuard.add(to: &parser)
        return parser
    }()

    private static func convert(_ arguments: [String]) async -> ExitStatus {
        let (input, output, format): (String, String, CatalogText.Format)
        do throws(UsageError) {
            let values = try converter.parse(arguments)
            if values.has("help") {
                Console.output(converter.help)
                return .success
            }
            guard values.arguments.count == 2 else { throw UsageError("which catalog, and into which file?") }
            (input, output) = (values.arguments[0], values.arguments[1])
            try OverwriteGuard.check(values, input: input, output: output)
            let ending = output.split(separator: ".").last?.lowercased() ?? ""
            guard let known = CatalogText.Format(rawValue: ending) else {
                let names = CatalogText.Format.allCases.map(\.rawValue).joined(separator: ", ")
                throw UsageError("the ending of \(output.printable) says no format; there are \(names)")
            }
            format = known
        } catch {
            return Console.usageError(error, command: "catalog convert")
        }
        guard let catalog = await CatalogLoading.load(input) else { return .unreadableCatalog }
        do throws(PhotoError) {
            let leftOut = try await CatalogFile.write(catalog, to: output, format: format)
            if leftOut == 0 { return .success }
            Console.error("classicphotos: \(leftOut) broken entries were left out; catalog check names them\n")
            return .someFailed
        } catch {
            Console.error("classicphotos: \(error.detail.printable)\n")
            return .unwritableOutput
        }
    }
}
