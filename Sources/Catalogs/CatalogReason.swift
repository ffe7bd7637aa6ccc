/// What is wrong with a catalog: a part of a sentence in English, such as “it is a web page”, which may name something.
///
/// Its text and what it names stay apart, as programs that speak other languages have a text of their own for each. Two reasons are
/// equal if they read alike.
public struct CatalogReason: Sendable, Hashable, CustomStringConvertible, ExpressibleByStringInterpolation {
    /// The English text; `{name}` stands where it names something.
    package let text: String
    /// What it names, such as the column that is missing; nil where it names nothing.
    package let name: String?
    /// The whole text in English.
    public let description: String

    public init(stringLiteral text: String) { self.init(text) }

    /// A text that names nothing.
    init(_ text: String) {
        self.text = text
        name = nil
        description = text
    }

    /// A text that may name one thing.
    public init(stringInterpolation: StringInterpolation) {
        text = stringInterpolation.text
        name = stringInterpolation.name
        description = stringInterpolation.whole
    }

    /// Puts a reason together.
    public struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var text = ""
        fileprivate var whole = ""
        fileprivate var name: String?

        public init(literalCapacity: Int, interpolationCount: Int) {}

        public mutating func appendLiteral(_ literal: String) {
            text += literal
            whole += literal
        }

        /// Names something; of several, the first one.
        public mutating func appendInterpolation(_ name: some CustomStringConvertible) {
            let name = name.description
            text += self.name == nil ? "{name}" : name
            whole += name
            self.name = self.name ?? name
        }
    }

    public static func == (first: Self, second: Self) -> Bool { first.description == second.description }

    public func hash(into hasher: inout Hasher) { hasher.combine(description) }
}
