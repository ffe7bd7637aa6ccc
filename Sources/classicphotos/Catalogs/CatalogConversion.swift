import FoundationEssentials
import PhotoDevelopment
import PhotoPipeline
import Wording

/// `classicphotos catalog convert`: the same catalog in another format.
enum CatalogConversion {
    static let parser = {
        var parser = OptionParser(
            command: "classicphotos catalog convert", arguments: "IN OUT",
            summary: """
                Writes the catalog IN to the file OUT, in the format that its ending says: json, csv, tsv, plist, or txt
                (addresses only). Other columns than name and address are left out.

                IN is a file, a folder of pictures, an http or https address, or - for standard input; OUT may be - for
                standard output. Relative addresses become absolute where OUT is not in the folder of IN.
                """,
            details: """
                A file OUT that is there is replaced; the catalog IN itself only with --force. Where OUT's format cannot say an
                entry (a line that begins with # in a list, a character that XML forbids), nothing is written.

                Exit status: 0 all written, 1 some entries are broken and were left out, 2 wrong usage, 3 the catalog cannot
                be read, 4 the result cannot be written.

                Examples:
                  classicphotos catalog convert photos.plist photos.csv
                  classicphotos catalog convert https://example.org/photos.json - --format txt | head
                """)
        parser.value("format", "KIND", "json, csv, tsv, plist or txt (default: as OUT ends)")
        CatalogOptions.add(to: &parser)
        OverwriteGuard.add(to: &parser)
        return parser
    }()

    static func run(arguments: [String]) async -> ExitStatus {
        let (catalog, output, format): (CatalogOptions, String, CatalogText.Format)
        do throws(UsageError) {
            guard let values = try parser.read(arguments) else { return .success }
            guard values.arguments.count == 2 else { throw UsageError("which catalog, and into which file?") }
            output = values.arguments[1]
            try OverwriteGuard.check(values, input: values.arguments[0], output: output)
            catalog = try CatalogOptions(values.arguments[0], values)
            format = try Self.format(values, output: output)
        } catch {
            return Console.usageError(error, command: "catalog convert")
        }
        guard let catalog = await CatalogLoading.load(catalog) else { return .unreadableCatalog }
        do throws(PhotoError) {
            let leftOut = try await write(catalog, to: output, format: format)
            if let sentence = said(of: catalog, as: format) { Console.warn("classicphotos: \(sentence)\n") }
            if leftOut == 0 { return .success }
            let sentence = tr(
                leftOut, "1 broken entry was left out; catalog check tells where",
                "\(leftOut) broken entries were left out; catalog check tells where")
            Console.error("classicphotos: \(sentence)\n")
            return .someFailed
        } catch {
            Console.error("classicphotos: \(error.told.printable)\n")
            return .unwritableOutput
        }
    }

    /// What of a catalog a format leaves out; nil where that is nothing.
    private static func said(of catalog: Catalog, as format: CatalogText.Format) -> String? {
        guard catalog.hasOtherFields else { return nil }
        return format == .txt
            ? tr("only addresses were written, and no other columns")
            : tr("only names and addresses were written, and no other columns")
    }

    private static func format(_ values: OptionValues, output: String) throws(UsageError) -> CatalogText.Format {
        let names = CatalogText.Format.allCases.map(\.rawValue)
        if let name = values.text("format") {
            if let format = CatalogText.Format(rawValue: name.lowercased()) { return format }
            throw UsageError(noFormat: name, among: names)
        }
        let ending = output.split(separator: ".").last?.lowercased() ?? ""
        if let format = CatalogText.Format(rawValue: ending) { return format }
        let list = names.joined(separator: ", ")
        throw output == "-"
            ? UsageError("in which format? --format takes one of \(list)")
            : UsageError("the ending of \(output.printable) says no format; --format takes one of \(list)")
    }

    private static func write(
        _ catalog: Catalog, to output: String, format: CatalogText.Format
    ) async throws(PhotoError) -> Int {
        guard output == "-" else { return try await CatalogFile.write(catalog, to: output, format: format) }
        // Where standard output takes no more, whoever ends the program tells of it, and gives the status.
        return try CatalogFile.write(catalog, format: format) { Console.output($0) }
    }
}
