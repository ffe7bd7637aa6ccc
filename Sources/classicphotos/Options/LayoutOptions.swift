import PhotoDevelopment

/// The options that say how pictures lie in the output folder.
enum LayoutOptions {
    static func add(to parser: inout OptionParser) {
        parser.value("layout", "LAYOUT", "files, or webdataset: tar files to train models with (default: files)")
        parser.value("rows-per-shard", "N", "Rows of the catalog for each tar file (default: 10000)")
    }

    /// What the layouts mean, for the help.
    static let help = """
        --layout webdataset writes DIR/00000.tar and so on, each for 10000 rows of the catalog, with KEY.jpg and KEY.json for
        each photo that was written, KEY being the row's number; and DIR/index.jsonl, a line for each photo.
        """

    static func apply(_ values: OptionValues, to options: inout DevelopmentOptions) throws(UsageError) {
        let rows = try values.number("rows-per-shard", in: 1...100_000_000)
        switch values.text("layout") {
        case nil, "files":
            if rows != nil { throw UsageError("--rows-per-shard needs --layout webdataset") }
        case "webdataset":
            if values.has("skip-existing") {
                throw UsageError("--skip-existing looks for files, and --layout webdataset writes none")
            }
            options.layout = rows.map { .webDataset(rowsPerShard: $0) } ?? .webDataset()
        case let other?:
            let hint = Suggestion.text(for: other, among: ["files", "webdataset"])
            throw UsageError("--layout takes files or webdataset, not \(other.printable)\(hint)")
        }
    }
}
