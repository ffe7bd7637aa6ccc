/// The format that a catalog was found to be in, told by its content and never by its file's name.
public enum CatalogFormat: String, Sendable, Hashable, CaseIterable {
    /// A property list in XML, as the classic tutorials have it.
    case xmlPropertyList = "XML property list"
    /// A property list in Apple's binary format.
    case binaryPropertyList = "binary property list"
    /// A property list in the old text format of OpenStep.
    case openStepPropertyList = "OpenStep property list"
    /// JSON: an object of name to address, an array of addresses, or an array of objects with `name` and `url`.
    case json = "JSON"
    /// JSON Lines: an object with `url` and, if wanted, `name` on each line.
    case jsonLines = "JSON Lines"
    /// Values that are parted by commas, tabs, semicolons or `|`, with a header that names a column `url`.
    case table
    /// One address on each line.
    case list
    /// The pictures of a folder.
    case folder
}

extension CatalogFormat: CustomStringConvertible {
    public var description: String { rawValue }
}
