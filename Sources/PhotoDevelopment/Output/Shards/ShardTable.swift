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
    /// Names that mean something of ours in the index, and have no column here.
    private static let withoutColumns = ["file", "files", "shard", "offset", "variants", "catalog", "exif"]
    private static let prefix = "catalog_"
    /// The most columns of a catalog, whose entries may each have other fields; further ones are in the index in JSON only.
    static let mostCatalogColumns = 256

    private var table: ParquetTable
    private let store: ShardStore
    /// The names that columns of the catalog do not have, in small letters.
    private let own: Set<String>
    /// The columns of the catalog, by the bytes of their names there: letters with accents have several forms.
    private var catalogPlaces: [[UInt8]: Int] = [:]

    init(of store: ShardStore) {
        self.store = store
        var columns: [(name: String, kind: ParquetColumn.Kind)] = Self.texts.map { ($0, .text) }
        columns += Self.numbers.map { ($0, .number) }
        for ending in Self.endings(store.variants) {
            columns += Self.pictureNumbers.map { ($0 + ending, .number) }
            columns.append(("sha256" + ending, .text))
        }
        if store.hasEXIF { columns.append(("exif", .text)) }
        table = ParquetTable(columns)
        own = Set(columns.map { $0.name.lowercased() } + Self.withoutColumns)
    }

    /// What stands behind the names of columns that are there for each result.
    private static func endings(_ variants: [String]) -> [String] {
        variants.isEmpty ? [""] : variants.map { "_" + $0 }
    }

    /// Adds a row.
    ///
    /// - Parameter pictures: The results of the row, if it has some.
    mutating func add(_ entry: Journal.Entry, _ pictures: [Sample.Picture]) {
        let row = entry.row
        let (status, error, detail, _) = row.fields
        let facts = pictures.first?.facts
        // In the order of the columns, see ``init(of:)``.
        var place = 0
        let key = store.key(ofRow: entry.number)
        for text in [key, row.name, row.address, status, error?.rawValue, detail, facts?.address] {
            table.set(place, text)
            place += 1
        }
        let size = facts?.publishedSize
        for number in [row.bytes, Int(row.milliseconds), size?.width, size?.height] {
            table.set(place, number)
            place += 1
        }
        for number in Self.endings(store.variants).indices {
            let picture = pictures.indices.contains(number) ? pictures[number] : nil
            for number in [picture?.facts.size.width, picture?.facts.size.height, picture?.count] {
                table.set(place, number)
                place += 1
            }
            table.set(place, picture?.facts.sha256)
            place += 1
        }
        if store.hasEXIF { table.set(place, facts?.exif) }
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
        let file = try TemporaryFile(beside: path, clearsFolder: store.ownsFolder)
        try table.write { (bytes) throws(FileError) in try file.write(bytes) }
        try file.commit()
    }
}
