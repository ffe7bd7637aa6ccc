import Catalogs
import PhotoPipeline

/// What a data set says about a row, as an object of JSON: what the report says, and what is known of the results.
struct SampleText {
    private var fields: String

    /// - Parameters:
    ///   - entry: The entry as it stands in the catalog, an object of JSON; nil where that is not known.
    ///   - variants: The names of the run's variants.
    ///   - pictures: The results of the row, if it has some.
    ///   - shard: The file that they are in, if that is to be told, as the index does.
    init(
        key: String, row: ReportRow, entry: String?, variants: [String], pictures: [Sample.Picture],
        shard: String? = nil
    ) {
        fields = "\"key\":\(CatalogText.json(key)),\(row.jsonFields(variants: variants))"
        if let entry { add("catalog", entry) }
        guard let facts = pictures.first?.facts else { return }
        add("final_url", facts.address.map(CatalogText.json) ?? "null")
        add("original_width", "\(facts.publishedSize.width)")
        add("original_height", "\(facts.publishedSize.height)")
        if variants.isEmpty {
            for (name, value) in Self.told(of: pictures[0], withOffset: shard != nil) { add(name, value) }
        } else {
            let objects = pictures.map { picture in
                let told = Self.told(of: picture, withOffset: shard != nil).map { "\"\($0)\":\($1)" }
                return "\(CatalogText.json(picture.facts.variant ?? "")):{\(told.joined(separator: ","))}"
            }
            add("variants", "{\(objects.joined(separator: ","))}")
        }
        if let exif = facts.exif { add("exif", exif) }
        if let shard { add("shard", CatalogText.json(shard)) }
    }

    /// What is told of each result.
    private static func told(of picture: Sample.Picture, withOffset: Bool) -> [(name: String, value: String)] {
        let told = [
            ("width", "\(picture.facts.size.width)"), ("height", "\(picture.facts.size.height)"),
            ("size", "\(picture.count)"), ("sha256", CatalogText.json(picture.facts.sha256)),
        ]
        return withOffset ? told + [("offset", "\(picture.start)")] : told
    }

    private mutating func add(_ name: String, _ value: String) { fields += ",\"\(name)\":\(value)" }

    /// The object, in one line.
    var json: String { "{\(fields)}" }
}
