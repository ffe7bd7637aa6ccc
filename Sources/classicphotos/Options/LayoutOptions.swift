import ImageCodecs
import PhotoDevelopment
import Wording

/// The options that say how pictures lie in the output folder.
enum LayoutOptions {
    static func add(to parser: inout OptionParser) {
        parser.value("layout", "LAYOUT", "files, or webdataset: tar files to train models with (default: files)")
        parser.value("names", "STYLE", "unique, or plain: NAME.jpg where a name is its own (default: unique)")
        parser.flag("shard-folders", "Put files into folders DIR/00000 and so on, each for 10000 rows of the catalog")
        parser.value("rows-per-shard", "N", "Rows of the catalog for each tar file (default: 10000)")
    }

    /// What the layouts mean, for the help.
    static let help = """
        --names plain calls a result NAME.jpg, or NAME-0123456789abc.jpg as usual for each photo whose name repeats in the
        catalog, where case and forms of Unicode make no difference. It needs a folder without the catalog's own pictures.

        --layout webdataset writes DIR/00000.tar and so on, each for 10000 rows of the catalog, with KEY.jpg and KEY.json for
        each photo that was written, KEY being the row's number; DIR/00000.parquet and so on, tables with a row for each photo;
        and DIR/index.jsonl, a line for each photo.

        --exif adds "exif" to KEY.json, an object with fields as exiftool -n names them: camera, lens, exposure, dates and
        copyright. Where it was taken (GPS), names, serial numbers, comments and keywords are only told by --exif=all.
        """

    private static func exif(_ values: OptionValues) throws(UsageError) -> EXIFFields.Selection? {
        guard let text = values.text("exif") else { return nil }
        if text.isEmpty { return .technical }
        if let selection = EXIFFields.Selection(rawValue: text) { return selection }
        let known = EXIFFields.Selection.allCases.map(\.rawValue)
        throw UsageError(
            "--exif takes technical or all, not \(text.printable)\(Suggestion.text(for: text, among: known))")
    }

    static func apply(_ values: OptionValues, to options: inout DevelopmentOptions) throws(UsageError) {
        if let name = values.text("names") {
            let known = DevelopmentOptions.Names.allCases.map(\.rawValue)
            guard let names = DevelopmentOptions.Names(rawValue: name) else {
                let hint = Suggestion.text(for: name, among: known)
                throw UsageError("--names takes plain or unique, not \(name.printable)\(hint)")
            }
            if names == .plain, values.text("layout") == "webdataset" {
                throw UsageError("--names is for files, and --layout webdataset calls them by their rows' numbers")
            }
            options.names = names
        }
        options.usesShardFolders = values.has("shard-folders")
        if options.usesShardFolders, values.text("layout") == "webdataset" {
            throw UsageError("--shard-folders is for files, and --layout webdataset has --rows-per-shard")
        }
        let rows = try values.number("rows-per-shard", in: 1...100_000_000)
        switch values.text("layout") {
        case nil, "files":
            if rows != nil { throw UsageError("--rows-per-shard needs --layout webdataset") }
            if values.text("exif") != nil { throw UsageError("--exif needs --layout webdataset, which has KEY.json") }
        case "webdataset":
            if values.has("skip-existing") {
                throw UsageError("--skip-existing looks for files, and --layout webdataset writes none")
            }
            options.exif = try exif(values)
            options.layout = rows.map { .webDataset(rowsPerShard: $0) } ?? .webDataset()
        case let other?:
            let hint = Suggestion.text(for: other, among: ["files", "webdataset"])
            throw UsageError("--layout takes files or webdataset, not \(other.printable)\(hint)")
        }
    }
}
