import Catalogs
import PhotoPipeline

/// What a data set says about a row, as an object of JSON: what the report says, and what is known of the result.
struct SampleText {
    private var fields: String

    /// Of a row that has a sample.
    ///
    /// - Parameters:
    ///   - entry: The entry as it stands in the catalog, an object of JSON; nil where that is not known.
    ///   - count: The bytes of the result.
    init(key: String, row: ReportRow, entry: String?, facts: Sample.Facts, count: Int) {
        self.init(key: key, row: row, entry: entry)
        add("final_url", facts.address.map(CatalogText.json) ?? "null")
        add("original_width", "\(facts.publishedSize.width)")
        add("original_height", "\(facts.publishedSize.height)")
        add("width", "\(facts.size.width)")
        add("height", "\(facts.size.height)")
        add("size", "\(count)")
        add("sha256", CatalogText.json(facts.sha256))
        if let exif = facts.exif { add("exif", exif) }
    }

    /// Of a row that has none.
    init(key: String, row: ReportRow, entry: String?) {
        fields = "\"key\":\(CatalogText.json(key)),\(row.jsonFields)"
        if let entry { add("catalog", entry) }
    }

    /// Says where the sample is, as the index does.
    mutating func addPlace(shard: String, start: Int) {
        add("shard", CatalogText.json(shard))
        add("offset", "\(start)")
    }

    private mutating func add(_ name: String, _ value: String) { fields += ",\"\(name)\":\(value)" }

    /// The object, in one line.
    var json: String { "{\(fields)}" }
}
