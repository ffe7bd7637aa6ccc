import Glibc
import ImageCodecs
import PhotoDevelopment
import PhotoPipeline
import Transfers
import Wording

/// The command line of `develop`, understood.
struct DevelopArguments {
    let catalog: CatalogOptions
    let options: DevelopmentOptions
    let isDryRun: Bool
    let isQuiet: Bool
    let isVerbose: Bool
    /// How progress is shown; nil for not at all.
    let progress: ProgressReport.Style?

    static let parser = {
        var parser = OptionParser(
            command: "classicphotos develop",
            arguments: "CATALOG",
            summary: """
                Downloads, filters and writes every photo of a catalog.

                CATALOG is a property list, JSON, JSON Lines, CSV, TSV or a plain list of addresses, also compressed by
                gzip or zstd: a file, a folder of pictures, an http or https address, or - for standard input.
                Parquet comes in through DuckDB and standard input, see the examples.
                """,
            details: """
                \(ImageOptions.filterHelp)

                \(ResizeOptions.help)

                \(VariantOptions.help)

                \(LayoutOptions.help)

                SIZE is a number of bytes, alone or with kB, MB or GB: 500kB, 64MB, 2GB.

                \(TransferOptions.help)

                \(TaskOptions.help)

                Exit status: 0 all filtered, 1 some failed, 2 wrong usage, 3 the catalog cannot be read,
                4 the output cannot be written or another run writes to it, 129 the terminal was closed,
                130 interrupted, 143 terminated. With --plan: 0 the task's shards are committed, whatever photos failed,
                75 try again, 2 wrong usage or another plan's folder, 3 the plan cannot be read.

                The output may be the catalog's own folder: what earlier runs made there is left out.

                Ctrl-C stops in order; a second one at once. However a run ended, the same command goes on with it: what is
                done is kept in DIR/.classicphotos, and what failed stays so until --only-failed takes it again.
                classicphotos report DIR writes what has become of the photos so far.

                Examples:
                  classicphotos develop photos.csv --output pictures
                  classicphotos develop https://example.org/photos.json -o pictures --filter "grayscale() contrast(1.2)"
                  classicphotos develop ~/Pictures -o small --filter none --size 320 --format webp
                  classicphotos develop shop.csv -o cards --filter none --resize crop --size 300x300 --gravity attention
                  classicphotos develop shop.csv -o shop --filter none --variant thumb:256::webp --variant large:2048::
                  duckdb -csv -c "SELECT url, name FROM 'photos.parquet'" | classicphotos develop - -o pictures
                  classicphotos develop captions.csv -o dataset --layout webdataset --filter none --size 512
                """)
        parser.value("output", short: "o", "DIR", "The folder for the pictures; made if it is not there")
        TaskOptions.add(to: &parser)
        LayoutOptions.add(to: &parser)
        CatalogOptions.add(to: &parser)
        PictureOptions.add(to: &parser)
        parser.value("jobs", short: "j", "N", "Pictures worked on at once (default: the cores it may use)")
        TransferOptions.add(to: &parser)
        parser.value(
            "timeout", "SECONDS",
            "The longest that each try may take (default: 30); connecting 10 and silence 15 in any case")
        parser.value("retries", "N", "How often a transfer is tried again after a fault that may pass (default: 2)")
        parser.value("max-bytes", "SIZE", "The longest body, decompressed (default: 64MB)")
        parser.flag("allow-private", "Let redirects and catalogs from the network lead to private addresses")
        DecodeLimitOptions.add(to: &parser)
        CacheOptions.add(to: &parser)
        parser.value(
            "dedupe", "BY",
            "address, or content: photos with the same bytes share a picture (default: address)")
        parser.value("report", "FILE", "Write a CSV file with a row per photo")
        parser.value("contact-sheet", "FILE", "Write a JPEG of results beside their originals (rows 1 to 60)")
        parser.value("trace", "FILE", "Write the timeline of all operations, for ui.perfetto.dev (JSON)")
        parser.value("metrics", "FILE", "Write figures for Prometheus each 5 s, in its text format; FILE is replaced")
        ResumptionOptions.add(to: &parser)
        parser.flag(
            "dry-run", short: "n", "Show what would be written; no photo is fetched, and nothing is written to DIR")
        parser.value("progress", "HOW", "text, or json: a line a second on standard error (default: text)")
        parser.flag("quiet", "No progress as text and no summary; errors are said")
        parser.flag("verbose", short: "v", "Name the files that are left out and why, and what confinement lacks")
        return parser
    }()

    init(_ values: OptionValues) throws(UsageError) {
        guard let argument = values.arguments.first else { throw UsageError("which catalog?") }
        guard values.arguments.count == 1 else { throw SurplusArgument.error(values) }
        guard let output = values.text("output"), !output.isEmpty else {
            throw UsageError("where to? --output names the folder for the pictures")
        }
        catalog = try CatalogOptions(argument, values)
        isDryRun = values.has("dry-run")
        isQuiet = values.has("quiet")
        isVerbose = values.has("verbose")
        switch values.text("progress") {
        case nil, "text": progress = isQuiet ? nil : Console.errorIsTerminal ? .bar : .lines
        case "json": progress = .json
        case let other?: throw UsageError("--progress takes text or json, not \(other.printable)")
        }
        if isQuiet, isVerbose { throw UsageError("--quiet and --verbose cannot be given together") }
        var options = DevelopmentOptions(output: output)
        try OriginalOptions.apply(values, to: &options)
        options.filter = try ImageOptions.filter(values)
        options.intensity = try ImageOptions.intensity(values)
        options.variants = try VariantOptions.variants(values)
        // What is for no picture at all is not looked at, as an option may be for variants alone.
        if options.variants.isEmpty {
            options.encoder = try EncoderOptions.encoder(values, formatName: values.text("format") ?? "jpeg")
            options.resize = try ResizeOptions.resize(values) ?? options.resize
        }
        options.keepsMetadata = try EncoderOptions.keepsMetadata(values)
        options.jobs = try values.number("jobs", in: 1...256) ?? options.jobs
        try TransferOptions.apply(values, to: &options)
        options.transferLimits.totalTimeout =
            try values.seconds("timeout", in: 0.1...86_400) ?? options.transferLimits.totalTimeout
        options.transferRetries = try values.number("retries", in: 0...100) ?? options.transferRetries
        options.transferLimits.maxBytes =
            try values.bytes("max-bytes", in: 1...4_000_000_000) ?? options.transferLimits.maxBytes
        options.decodeLimits = try DecodeLimitOptions.limits(values)
        options.keepsDamaged = DamageOptions.keepsDamaged(values)
        options.allowsPrivateAddresses = values.has("allow-private")
        if values.text("cache") != "off" {
            options.partialDownloads = DiskCache.standardFolder.map { PartialDownloads(folder: $0 + "/partial") }
        }
        options.diskCache = try CacheOptions.cache(values)
        switch values.text("dedupe") {
        case nil, "address": break
        case "content": options.comparesContents = true
        case let other?:
            let hint = Suggestion.text(for: other, among: ["address", "content"])
            throw UsageError("--dedupe takes address or content, not \(other.printable)\(hint)")
        }
        try ResumptionOptions.apply(values, to: &options)
        try LayoutOptions.apply(values, to: &options)
        try BoundsOptions.apply(values, to: &options)
        for name in ["report", "contact-sheet", "trace", "metrics"] where values.text(name)?.isEmpty == true {
            throw UsageError("--\(name) needs the path of a file")
        }
        for name in ["output", "report", "contact-sheet", "trace", "metrics"] where values.text(name) == "-" {
            throw UsageError("--\(name) takes no standard output; ./- names what is called -")
        }
        options.report = values.text("report")
        options.contactSheet = values.text("contact-sheet")
        options.trace = values.text("trace")
        options.metrics = values.text("metrics")
        options.whenMetricsFail = {
            Console.warn("classicphotos: " + tr("\($0.sentence.printable); the run goes on without them") + "\n")
        }
        do throws(DevelopmentError) { try options.checkVariants() } catch { throw UsageError(verbatim: error.sentence) }
        self.options = options
    }

    /// The catalog; nil where it cannot be had, which is said on standard error.
    func loadCatalog() async -> Catalog? {
        let loaded = await CatalogLoading.load(catalog, transfers: options)
        // Others have no use for captions.
        if catalog.keys.keepsEntries, let loaded { UndecodedTextWarning.tell(loaded.undecodedText) }
        if let loaded, !isDryRun { ProxyRemark.tell(loaded, options) }
        return loaded
    }
}
