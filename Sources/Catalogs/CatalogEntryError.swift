/// Why one entry of a catalog names no picture.
public enum CatalogEntryError: Error, Sendable, Hashable {
    /// The entry itself is broken: no address, a wrong type, text that is not UTF-8, a wrong number of fields.
    case invalidEntry(place: CatalogPlace, reason: String)
    /// The name of a file in a folder is not UTF-8, as that from an old archive may be: nothing can name the file here.
    case fileNameNotUTF8
    /// The address is none; `address` is as written.
    case invalidAddress(_ address: String, reason: String)
    /// The address has a scheme that this catalog may not use: anything but `http`, `https` and `file`, and `file`
    /// too where the catalog came over http(s).
    case forbiddenAddress(scheme: String)
}

extension CatalogEntryError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .invalidEntry(let place, let reason):
            place.description.isEmpty ? "\(reason)" : "\(place): \(reason)"
        case .fileNameNotUTF8: "the file's name is not UTF-8; rename it"
        case .invalidAddress(let address, let reason): "“\(address)” is not an address: \(reason)"
        case .forbiddenAddress(let scheme): "addresses that begin with “\(scheme):” are not allowed in this catalog"
        }
    }
}
