import PhotoDevelopment
import PhotoPipeline
import Transfers
import Wording

/// `classicphotos catalog check`: which entries name no photo, and where they stand.
enum CatalogCheck {
    static let parser = {
        var parser = OptionParser(
            command: "classicphotos catalog check", arguments: "CATALOG",
            summary: """
                Reads a catalog and says which of its entries name no photo, and where they stand. No photo is fetched.

                CATALOG is a file, a folder of pictures, an http or https address, or - for standard input.
                """,
            details: """
                Exit status: 0 all good, 1 some entries are not, 2 wrong usage, 3 the catalog cannot be read,
                4 standard output cannot be written.
                """)
        CatalogOptions.add(to: &parser)
        parser.flag("allow-private", "Let a catalog from the network name private addresses")
        return parser
    }()

    static func run(arguments: [String]) async -> ExitStatus {
        let (options, allowsPrivateAddresses): (CatalogOptions, Bool)
        do throws(UsageError) {
            guard let values = try parser.read(arguments) else { return .success }
            guard values.arguments.count == 1 else { throw UsageError("which catalog? One at a time.") }
            options = try CatalogOptions(values.arguments[0], values)
            allowsPrivateAddresses = values.has("allow-private")
        } catch {
            return Console.usageError(error, command: "catalog check")
        }
        guard let catalog = await CatalogLoading.load(options) else { return .unreadableCatalog }
        var addressGuard = catalog.addressGuard
        if allowsPrivateAddresses { addressGuard.opensSpecialRanges = true }
        var flawed = 0
        for row in catalog {
            guard let flaw = flaw(of: row, addressGuard) else { continue }
            flawed += 1
            var place = row.place.text
            if place.isEmpty { place = tr("entry \(row.index + 1)") }
            // A broken entry's sentence begins with its place.
            if case .failure(.invalidEntry) = row.content { place = "" } else { place += ": " }
            let name = row.name.isEmpty ? "" : "\(row.name.printable): "
            let line = "\(place.printable)\(name)\(flaw.told.printable)\n"
            if !Console.output(line) { return .someFailed }
        }
        UndecodedTextWarning.tell(catalog.undecodedText)
        let entries = tr(catalog.count, "1 entry", "\(catalog.count) entries")
        let format = catalog.format.message.translated
        let lines =
            ["\(entries) (\(format))\(verdict(on: catalog.count, flawed: flawed))"]
            + (options.includesSubfolders ? [] : LeftOutText.folders(LeftOutFile.files(beside: catalog)))
        Console.output(lines.joined(separator: "\n") + "\n")
        return flawed == 0 ? .success : .someFailed
    }

    /// Why no photo can be had of a row, as far as the row tells; nil where one may be.
    private static func flaw(of row: Catalog.Row, _ addressGuard: AddressGuard) -> PhotoError? {
        switch row.content {
        case .failure(let error): PhotoError(error)
        case .success(.web(let address)): addressGuard.refusal(of: address).map { PhotoError($0) }
        case .success(.file), .success(.unusable): nil
        }
    }

    private static func verdict(on count: Int, flawed: Int) -> String {
        switch (count, flawed) {
        case (0, _): ""
        case (1, 0): tr(", which names a photo")
        case (1, _): tr(", which names no photo")
        case (_, 0): tr(", all of which name photos")
        case (_, 1): tr(", 1 of which names no photo")
        default: tr(", \(flawed) of which name no photo")
        }
    }
}
