import PhotoPipeline

/// How a catalog is read: which of its columns count.
enum CatalogOptions {
    static func add(to parser: inout OptionParser) {
        parser.value("url-column", "COLUMN", "The column or key with the address (default: url)")
        parser.value("name-column", "COLUMN", "The column or key with the name (default: name)")
    }

    static func keys(_ values: OptionValues) throws(UsageError) -> CatalogKeys {
        for name in ["url-column", "name-column"] where values.text(name)?.isEmpty == true {
            throw UsageError("--\(name) needs the name of a column")
        }
        let usual = CatalogKeys()
        return CatalogKeys(
            address: values.text("url-column") ?? usual.address, name: values.text("name-column") ?? usual.name)
    }
}
