/// A place in a catalog, as exact as its format allows.
///
/// Text formats have lines and columns, trees have key paths, binary property lists have byte offsets only for damage.
public struct CatalogPlace: Sendable, Hashable {
    /// The line, counted from 1.
    public var line: Int?
    /// The column, counted from 1 in Unicode scalars.
    public var column: Int?
    /// The byte, counted from 0 (after the change to UTF-8, where the catalog is in UTF-16).
    public var byteOffset: Int?
    /// The way to an entry from the root `$`, such as `$.photos[3].url` or `$["Old mill"]`.
    public var keyPath: String?

    /// A place of what is known about it; what is nil is not told.
    public init(line: Int? = nil, column: Int? = nil, byteOffset: Int? = nil, keyPath: String? = nil) {
        self.line = line
        self.column = column
        self.byteOffset = byteOffset
        self.keyPath = keyPath
    }
}

extension CatalogPlace: CustomStringConvertible {
    /// The place for a message, such as `line 3, column 5 ($[2].url)`; empty when nothing is known.
    public var description: String {
        var parts: [String] = []
        if let line { parts.append("line \(line)") }
        if let column { parts.append("column \(column)") }
        if let byteOffset { parts.append("byte \(byteOffset)") }
        let position = parts.joined(separator: ", ")
        guard let keyPath else { return position }
        return position.isEmpty ? keyPath : "\(position) (\(keyPath))"
    }
}
