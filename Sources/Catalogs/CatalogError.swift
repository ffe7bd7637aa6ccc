/// Why a catalog cannot be loaded at all.
///
/// An entry that is wrong in itself is no reason: it is a row whose content is a ``CatalogEntryError``.
public enum CatalogError: Error, Sendable, Hashable {
    /// There is nothing at the path.
    case notFound(path: String)
    /// There is nothing at the path, in which bytes of a name that is not UTF-8 were replaced by U+FFFD.
    case nameNotUTF8(path: String)
    /// The system refused to read it; `reason` is the system's own word.
    case cannotRead(path: String, reason: String)
    /// It is a device or a socket, neither a file, a pipe nor a folder.
    case isDevice(path: String)
    /// Several files were to be opened together, and none of them is a picture.
    case notTogether
    /// It is cut off or breaks the rules of its format so that what follows cannot be told.
    case damaged(format: CatalogFormat, place: CatalogPlace, reason: CatalogReason)
    /// It is a table whose header, at `place`, names no column for the addresses. `columns` are the first twelve that it names.
    case noAddressColumn(String, columns: [String], place: CatalogPlace)
    /// It is a table that begins at `place` with a row instead of its `columns` columns' names. The first column has the addresses; its name
    /// would be that given here.
    case noColumnNames(String, columns: Int, place: CatalogPlace)
    /// It is something else, such as a picture or a web page.
    case notACatalog(reason: CatalogReason)
    /// It is compressed, and damaged or cut off; `reason` is the library's own word.
    case notUnpacked(compression: String, reason: CatalogReason)
    /// It has more than `limit` bytes, those of a compressed one counted unpacked.
    case tooLarge(limit: Int)
    /// Its rows cannot be kept in a temporary file in `folder`; `reason` is the system's own word.
    case notStored(folder: String, reason: String)
    /// There is not enough memory for it.
    case outOfMemory
    /// Its values are nested deeper than `limit`.
    case tooDeep(format: CatalogFormat, place: CatalogPlace, limit: Int)
}

extension CatalogError {
    /// Names of columns, as a sentence has them.
    package static func list(_ columns: [String]) -> String {
        columns.map { "“\($0)”" }.joined(separator: ", ")
    }

    /// Whether what was read is a picture, or may be one.
    package var isOfPicture: Bool { CatalogDetection.isOfPicture(self) }

    static var compressedTwice: CatalogError { .notACatalog(reason: "it is compressed more than once") }
}

extension CatalogError: CustomStringConvertible {
    /// A sentence for a person, without the catalog's name where the caller knows it better.
    public var description: String {
        switch self {
        case .notFound(let path): "There is no catalog at \(path)."
        case .nameNotUTF8(let path): "The name of \(path) is not UTF-8. Rename it to open it."
        case .cannotRead(let path, let reason): "\(path) cannot be read: \(reason)."
        case .isDevice(let path): "\(path) is a device or a socket, not a catalog."
        case .notTogether: "Pictures and folders can be opened together, catalogs and web addresses only one at a time."
        case .damaged(let format, let place, let reason):
            "The catalog (\(format)) is damaged at \(place): \(reason)."
        case .noAddressColumn(let name, let columns, let place):
            "The table has no column “\(name)”. At \(place) it names \(Self.list(columns))."
        case .noColumnNames(let name, let columns, let place):
            "The table begins at \(place) with a row, not with its columns' names. Write a line above it with \(columns) names, the first of them “\(name)”."
        case .notACatalog(let reason): "This is not a catalog: \(reason)."
        case .notUnpacked(let compression, let reason): "The catalog cannot be unpacked (\(compression)): \(reason)."
        case .tooLarge(let limit): "The catalog is larger than the limit of \(limit) bytes."
        case .notStored(let folder, let reason):
            "The rows of the catalog cannot be kept in a temporary file in \(folder): \(reason). TMPDIR names another folder."
        case .outOfMemory: "There is not enough memory for the catalog."
        case .tooDeep(let format, let place, let limit):
            "The catalog (\(format)) is nested deeper than \(limit) levels at \(place)."
        }
    }
}
