import ImageCodecs
import PhotoPipeline

/// All that decides what a picture becomes, option by option.
///
/// A folder holds pictures of one recipe: a run with another one is refused, as it would mix them.
struct Recipe: Equatable, Sendable {
    /// Rises when pictures come out otherwise from the same options.
    static let version = 2

    struct Item: Equatable, Sendable {
        /// As the command line names it.
        let option: String
        let value: String
    }

    let items: [Item]

    /// The values in journals of versions that did not know the options.
    private static let earlier = [
        variantOption: noVariants,
        "--layout": "files", rowsPerShard: "none", names: Names.unique.rawValue,
        ownFilters: noOwnFilters, shardFolders: "no", exif: "none", original: "no", minSize: "1x1", maxAspect: "none",
        intensity: usualIntensity,
    ]

    init(_ items: [Item]) {
        self.items = items
    }

    init(of options: DevelopmentOptions) {
        let names = options.variantNames.joined(separator: Self.betweenNames)
        let results = options.renditions.flatMap { Self.imageItems($0, keepsMetadata: options.keepsMetadata) }
        // Journals of runs without them do not name them.
        let own = options.ownFiltersDigest.map { [Item(option: Self.ownFilters, value: $0)] } ?? []
        self.init(
            [
                Item(option: "--layout", value: options.layout.name),
                Item(option: Self.rowsPerShard, value: options.layout.rowsPerShard.map { "\($0)" } ?? "none"),
                Item(option: Self.names, value: (options.layout == .files ? options.names : .unique).rawValue),
                Item(
                    option: Self.shardFolders,
                    value: options.layout == .files && options.usesShardFolders ? "yes" : "no"),
                Item(option: Self.exif, value: options.exif?.rawValue ?? "none"),
                Item(option: Self.minSize, value: "\(options.bounds.minWidth)x\(options.bounds.minHeight)"),
                Item(option: Self.maxAspect, value: options.bounds.maxAspect.map { "\($0)" } ?? "none"),
                // Before the items that depend on it.
                Item(option: Self.variantOption, value: names.isEmpty ? Self.noVariants : names),
                Item(option: Self.original, value: options.keepsOriginals ? "yes" : "no"),
            ] + results + own + [Item(option: "the version of what is made", value: "\(Self.version)")])
    }

    /// The options in the order in which a person wants to know them: what makes a picture what it is, then the others that do
    /// something, and last those that do nothing.
    var byImportance: [Item] {
        let first = ["--filter", Self.intensity, Self.size, "--format", "--quality"]
        func rank(_ item: Item) -> Int {
            if let place = first.firstIndex(of: item.option) { return place }
            let doesNothing = ["none", "no"].contains(item.value) || item.value == Self.earlier[item.option]
            return first.count + (doesNothing ? 1 : 0)
        }
        let ranked = items.filter { $0.option.hasPrefix("--") }.enumerated().map { (rank($1), $0, $1) }
        return ranked.sorted { ($0.0, $0.1) < ($1.0, $1.1) }.map(\.2)
    }

    private typealias Names = DevelopmentOptions.Names
    static let rowsPerShard = "--rows-per-shard"
    private static let size = "--size"
    private static let resize = "--resize"
    private static let names = "--names"
    private static let shardFolders = "--shard-folders"
    private static let exif = "--exif"
    private static let minSize = "--min-size"
    private static let maxAspect = "--max-aspect"
    private static let original = "--original"
    private static let intensity = "--intensity"
    private static let usualIntensity = "100%"
    private static let ownFilters = "the filters of single photos"
    private static let noOwnFilters = "none"
    private static let ofVariant = " of variant "
    private static let variantOption = "--variant"
    private static let noVariants = "none"
    private static let betweenNames = ", "

    /// The names of the variants.
    var variants: [String] {
        let value = items.first { $0.option == Self.variantOption }?.value ?? Self.noVariants
        return value == Self.noVariants ? [] : value.split(separator: Self.betweenNames).map(String.init)
    }

    /// What decides how pictures are made of photos; nothing for photos as they came.
    private static func imageItems(_ rendition: Rendition, keepsMetadata: Bool) -> [Item] {
        guard let encoder = rendition.encoder else { return [] }
        let (background, resize) = (encoder.background, rendition.resize)
        func hexadecimal(_ value: UInt8) -> String { (value < 16 ? "0" : "") + String(value, radix: 16) }
        var items = [
            Item(option: "--filter", value: rendition.filter.description),
            Item(option: size, value: resize.map { "\($0.box.width)x\($0.box.height)" } ?? "none"),
            Item(option: Self.resize, value: resize?.mode.rawValue ?? "none"),
            Item(option: "--gravity", value: resize?.gravity.rawValue ?? "none"),
            Item(option: "--enlarge", value: resize?.enlarges == true ? "yes" : "no"),
            Item(option: "--format", value: encoder.format.rawValue),
            Item(option: "--quality", value: "\(encoder.quality)"),
            Item(option: "--progressive", value: encoder.isProgressive ? "yes" : "no"),
            Item(option: "--optimize", value: encoder.optimizesCoding ? "yes" : "no"),
            Item(option: "--chroma", value: encoder.chromaSubsampling?.rawValue ?? "by quality"),
            Item(option: "--lossless", value: encoder.isLossless ? "yes" : "no"),
            Item(option: "--avif-speed", value: "\(encoder.avifSpeed)"),
            Item(option: "--metadata", value: keepsMetadata ? "keep" : "drop"),
            Item(
                option: "--background",
                value: "#" + [background.red, background.green, background.blue].map(hexadecimal).joined()),
        ]
        // Versions that did not know it go on with journals that do without.
        if case let strength = percentage(rendition), strength != usualIntensity {
            items.insert(Item(option: intensity, value: strength), at: 1)
        }
        guard let name = rendition.variant else { return items }
        return items.map { Item(option: $0.option + Self.ofVariant + name, value: $0.value) }
    }

    /// How much of the filter shows; all of what does nothing.
    private static func percentage(_ rendition: Rendition) -> String {
        let weight = FilterChain.weight(of: rendition.intensity)
        if rendition.filter.functions.isEmpty || weight == FilterChain.fullWeight { return usualIntensity }
        // As it was typed, for all that anybody types.
        let thousandths = Int((min(max(0, rendition.intensity), 1) * 100_000).rounded())
        let (percent, rest) = thousandths.quotientAndRemainder(dividingBy: 1_000)
        return rest == 0 ? "\(percent)%" : "\(Double(thousandths) / 1_000)%"
    }

    /// What an option is where nothing is said of it.
    private static func usual(_ option: String) -> String {
        earlier[option.firstRange(of: ofVariant).map { String(option[..<$0.lowerBound]) } ?? option] ?? "not known"
    }

    private var values: [String: String] { Dictionary(items.map { ($0.option, $0.value) }) { first, _ in first } }

    /// A value as a person types it.
    ///
    /// - Parameter values: Those of all options that were given with it.
    private func told(_ value: String, of option: String, from values: [String: String]) -> String {
        let isMinSize = option == Self.minSize
        // The value that has no effect is no value that anybody gave.
        if isMinSize, value == Self.earlier[option] { return "none" }
        guard isMinSize || option.hasPrefix(Self.size) else { return value }
        // A box is asked for by all other modes.
        guard isMinSize || values[option.replacing(Self.size, with: Self.resize, maxReplacements: 1)] == "fit" else {
            return value
        }
        let sides = value.split(separator: "x")
        return sides.count == 2 && sides[0] == sides[1] ? String(sides[0]) : value
    }

    /// The first item in which two recipes differ, with both values as a person is told them; nil where they are equal.
    func difference(from before: Recipe) -> (option: String, before: String, now: String)? {
        let values = before.values
        let ownValues = self.values
        func differing(_ option: String, _ before: String, _ now: String) -> (
            option: String, before: String, now: String
        ) {
            (option, told(before, of: option, from: values), told(now, of: option, from: ownValues))
        }
        for item in items {
            let value = values[item.option] ?? Self.usual(item.option)
            if value != item.value { return differing(item.option, value, item.value) }
        }
        let options = Set(items.map(\.option))
        return before.items.first { !options.contains($0.option) }.map {
            differing($0.option, $0.value, Self.usual($0.option))
        }
    }
}
