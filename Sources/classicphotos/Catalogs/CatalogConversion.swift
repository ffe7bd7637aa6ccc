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
                Writes the catalog IN to the file OUT, in the format that its ending says: json, jsonl, csv, tsv, plist, or txt
                (addresses only). All columns are written; plist and txt have room for name and address alone, and say
                what was left out.

                IN is a file, a folder of pictures, an http or https address, or - for standard input; OUT may be - for
                standard output. Relative addresses become absolute where OUT is not in the folder of IN.
                """,
            details: """
                A file OUT that is there is replaced; the catalog IN itself only with --force. Where OUT's format cannot say an
                entry (a line that begins with # in a list, a character that XML forbids), nothing is written.

                Name and address are called name and url in OUT, so that every command reads them; another column of such a
                name becomes “url 2”. In csv and tsv all values are texts: numbers as they stand, lists and
                objects as JSON, and null as nothing. More than 10000 other columns are refused.

                Exit status: 0 all written, 1 some entries are broken and were left out, 2 wrong usage, 3 the catalog cannot
                be read, 4 the result cannot be written.

                Examples:
                  classicphotos catalog convert photos.plist photos.csv
                  classicphotos catalog convert https://example.org/photos.json - --format txt | head
                """)
        parser.value("format", "KIND", "json, jsonl, csv, tsv, plist or txt (default: as OUT ends)")
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
            format = try Self.format(values, output: output)
            catalog = try CatalogOptions(
                values.arguments[0], values, keepsEntries: CatalogText(format).saysOtherColumns)
        } catch {
            return Console.usageError(error, command: "catalog convert")
        }
        guard let catalog = await CatalogLoading.load(catalog) else { return .unreadableCatalog }
        do throws(PhotoError) {
            guard let outcome = try await write(catalog, to: output, format: format) else { return .success }
            tell(outcome, format)
            let leftOut = outcome.rowsLeftOut
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

    /// Says what became of other columns than name and address, where they are not as they were.
    private static func tell(_ outcome: CatalogFile.Outcome, _ format: CatalogText.Format) {
        if outcome.leftColumnsOut {
            let sentence =
                format == .txt
                ? tr("only addresses were written, and no other columns")
                : tr("only names and addresses were written, and no other columns")
            Console.warn("classicphotos: \(sentence)\n")
        }
        for (from, to) in outcome.renamedColumns.prefix(mostTold) {
            let sentence = tr("another column “\(from.printable)” is called “\(to.printable)” in the result")
            Console.warn("classicphotos: \(sentence)\n")
        }
        let left = outcome.renamedColumns.count - mostTold
        if left > 0 {
            let sentence = tr(left, "\(left) more column has another name", "\(left) more columns have other names")
            Console.warn("classicphotos: \(sentence)\n")
        }
    }

    private static let mostTold = 10

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
    ) async throws(PhotoError) -> CatalogFile.Outcome? {
        guard output == "-" else { return try await CatalogFile.write(catalog, to: output, format: format) }
        // Where standard output takes no more, whoever ends the program tells of it, and gives the status.
        return try CatalogFile.write(catalog, format: format) { Console.output($0) }
    }
}
