import FoundationEssentials
import PhotoPipeline

/// The index of a shard as a table of Parquet: what the index in JSON says, in columns, and the columns of the catalog.
///
/// Columns of the catalog are texts. One that is called like a column of ours, in any case of letters, has `catalog_` in front of its
/// name, and so has one whose name begins with that: so no two have one name, in whatever order entries have their fields.
struct ShardTable {
    private static let texts = ["key", "name", "url", "status", "error", "detail", "final_url"]
    private static let numbers = ["bytes", "milliseconds", "original_width", "original_height"]
    /// What each result has.
    private static let pictureNumbers = ["width", "height", "size"]
    private static let digest = "sha256"
    private static let exif = "exif"
    private static let prefix = "catalog_"
    /// The most columns of a catalog, whose entries may each have other fields; further ones are in the index in JSON only.
    static let mostCatalogColumns = 256

    private var table: ParquetTable
    private let store: ShardStore
    /// The columns that are not the catalog's.
    private let places: [String: Int]
    private let own: Set<String>
    /// The columns of the catalog, by the bytes of their names there: letters with accents have several forms.
    private var catalogPlaces: [[UInt8]: Int] = [:]

    init(of store: ShardStore) {
        self.store = store
        var columns: [(name: String, kind: ParquetColumn.Kind)] = Self.texts.map { ($0, .text) }
        columns += Self.numbers.map { ($0, .number) }
        for ending in Self.endings(store.variants) {
            columns += Self.pictureNumbers.map { ($0 + ending, .number) }
            columns.append((Self.digest + ending, .text))
        }
        if store.hasEXIF { columns.append((Self.exif, .text)) }
        table = ParquetTable(columns)
        places = Dictionary(uniqueKeysWithValues: columns.enumerated().map { ($1.name, $0) })
        own = Set(columns.map { $0.name.lowercased() })
    }

    /// What stands behind the names of columns that are there for each result.
    private static func endings(_ variants: [String]) -> [String] {
        variants.isEmpty ? [""] : variants.map { "_" + $0 }
    }

    private mutating func set(_ name: String, _ text: String?) { table.set(places[name] ?? 0, text) }
    private mutating func set(_ name: String, _ number: Int) { table.set(places[name] ?? 0, number) }

    /// Adds a row.
    ///
    /// - Parameter pictures: The results of the row, if it has some.
    mutating func add(_ entry: Journal.Entry, _ pictures: [Sample.Picture]) {
        let row = entry.row
        let (status, error, detail, _) = row.fields
        let facts = pictures.first?.facts
        let key = store.key(ofRow: entry.number)
        let texts = [key, row.name, row.address, status, error?.rawValue, detail, facts?.address]
        for (name, text) in zip(Self.texts, texts) { set(name, text) }
        set("bytes", row.bytes)
        set("milliseconds", Int(row.milliseconds))
        if let facts {
            set("original_width", facts.publishedSize.width)
            set("original_height", facts.publishedSize.height)
            if let exif = facts.exif { set(Self.exif, exif) }
        }
        for (picture, ending) in zip(pictures, Self.endings(store.variants)) {
            set("width" + ending, picture.facts.size.width)
            set("height" + ending, picture.facts.size.height)
            set("size" + ending, picture.count)
            set(Self.digest + ending, picture.facts.sha256)
        }
        let fields = store.entry(entry.number).map { EntryFields.fields(of: $0) }
        for field in fields ?? [] {
            if let place = catalogPlace(of: field.name) { table.set(place, field.text) }
        }
        table.endRow()
    }

    private mutating func catalogPlace(of name: String) -> Int? {
        let bytes = Array(name.utf8)
        if let place = catalogPlaces[bytes] { return place }
        guard catalogPlaces.count < Self.mostCatalogColumns else { return nil }
        let small = name.lowercased()
        let isTaken = name.isEmpty || own.contains(small) || small.hasPrefix(Self.prefix)
        let place = table.addTexts(isTaken ? Self.prefix + name : name)
        catalogPlaces[bytes] = place
        return place
    }

    /// Writes the table, whole or not at all.
    mutating func write(to path: String) throws(FileError) {
        let file = try TemporaryFile(beside: path)
        try table.write { (bytes) throws(FileError) in try file.write(bytes) }
        try file.commit()
    }
}
