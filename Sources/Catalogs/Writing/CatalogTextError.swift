/// Why a row cannot be written in a format: it would be read again as something else.
public struct CatalogTextError: Error, Sendable, Hashable {
    /// The format.
    public var format: CatalogText.Format
    /// The row's name.
    public var name: String
    /// What the format has no words for, as a part of a sentence.
    public var reason: String

    /// A row that a format cannot say; each parameter is the property of its name.
    public init(format: CatalogText.Format, name: String, reason: String) {
        self.format = format
        self.name = name
        self.reason = reason
    }
}

extension CatalogTextError: CustomStringConvertible {
    public var description: String { "“\(name)” cannot be written as \(format.rawValue): \(reason)" }
}
