/// The format that a catalog was found to be in, told by its content and never by its file's name.
public enum CatalogFormat: String, Sendable, Hashable, CaseIterable {
    case xmlPropertyList = "XML property list"
    case binaryPropertyList = "binary property list"
    case openStepPropertyList = "OpenStep property list"
    case json = "JSON"
    /// CSV, TSV or semicolon-separated values, with a header that names a column `url`.
    case table
    /// One address on each line.
    case list
    /// The pictures of a folder.
    case folder
}

extension CatalogFormat: CustomStringConvertible {
    public var description: String { rawValue }
}
