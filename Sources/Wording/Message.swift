/// A sentence for people that may hold values, in English and in the language that ``Translation`` speaks.
///
/// It is written as a text with interpolations; translators see `{1}`, `{2}` and so on in the places of the values, and may
/// put them in another order.
package struct Message: Sendable, ExpressibleByStringInterpolation {
    /// The English sentence with places for values, by which its translation is found.
    package let key: String

    fileprivate enum Value {
        /// Is the same in every language.
        case text(String)
        /// Is a sentence, too, which may be translated.
        case message(Message)
        /// Is a part of a sentence that is about a number.
        case counted(CountedMessage)
    }

    private let values: [Value]

    private init(key: String, values: [Value]) {
        (self.key, self.values) = (key, values)
    }

    package init(stringLiteral value: String) { self.init(key: value, values: []) }

    package init(stringInterpolation: StringInterpolation) {
        self.init(key: stringInterpolation.key, values: stringInterpolation.values)
    }

    /// A sentence that is known when the program runs, such as one that a library gives as a reason.
    ///
    /// - Parameter name: What stands in the place of `{name}`; nil where the text has no such place.
    package init(text: String, name: String? = nil) { self.init(key: text, values: name.map { [.text($0)] } ?? []) }

    /// The detail of an error, which is kept as a text in journals, so that what it names has to be found in it again.
    ///
    /// - Parameter templates: Sentences that name something, as translators have them, with `{name}` in its place.
    package init(text: String, templates: [String]) {
        for template in templates {
            guard let name = template.filling(text) else { continue }
            self.init(text: template, name: name)
            return
        }
        self.init(text: text)
    }

    package struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var key = ""
        fileprivate var values: [Value] = []

        package init(literalCapacity: Int, interpolationCount: Int) {}

        package mutating func appendLiteral(_ literal: String) { key += literal }

        package mutating func appendInterpolation(_ value: some CustomStringConvertible) { add(.text("\(value)")) }

        package mutating func appendInterpolation(_ message: Message) { add(.message(message)) }

        package mutating func appendInterpolation(_ counted: CountedMessage) { add(.counted(counted)) }

        private mutating func add(_ value: Value) {
            values.append(value)
            key += "{\(values.count)}"
        }
    }

    /// A sentence that goes on in a second line of the source.
    package static func + (first: Message, second: Message) -> Message {
        let count = first.values.count
        let key = second.filled(second.key) { number, _ in "{\(number + count)}" }
        return Message(key: first.key + key, values: first.values + second.values)
    }

    /// The sentence in English.
    package var english: String { filled(key) { _, value in value.english } }

    /// The sentence in the language of the program's user; in English where it has no translation.
    package var translated: String { filled(Translation.text(key)) { _, value in value.translated } }

    /// A sentence about a number, in the form that the number asks for; of ``CountedMessage``.
    static func translated(_ count: Int, _ one: Message, _ many: Message) -> String {
        let text = Translation.text(one.key, many.key, count)
        // What is written for one may leave the number out.
        return text == one.key ? one.translated : many.filled(text) { _, value in value.translated }
    }

    private func filled(_ text: String, _ part: (Int, Value) -> String) -> String {
        guard !values.isEmpty else { return text }
        var result = ""
        var rest = text[...]
        while let open = rest.firstIndex(of: "{"), let close = rest[open...].firstIndex(of: "}") {
            result += rest[..<open]
            let name = rest[rest.index(after: open)..<close]
            let number = name == "name" ? 1 : Int(name) ?? 0
            let isPlace = values.indices.contains(number - 1)
            result += isPlace ? part(number, values[number - 1]) : String(rest[open...close])
            rest = rest[rest.index(after: close)...]
        }
        return result + rest
    }
}

extension Message.Value {
    fileprivate var english: String {
        switch self {
        case .text(let text): text
        case .message(let message): message.english
        case .counted(let counted): counted.english
        }
    }

    fileprivate var translated: String {
        switch self {
        case .text(let text): text
        case .message(let message): message.translated
        case .counted(let counted): counted.translated
        }
    }
}

extension String {
    /// What stands for `{name}` of this text in another one; nil where that is not this text with something put there.
    fileprivate func filling(_ text: String) -> String? {
        guard let open = firstIndex(of: "{"), let close = firstIndex(of: "}") else { return nil }
        let (before, after) = (self[..<open], self[index(after: close)...])
        guard text.hasPrefix(before), text.hasSuffix(after), text.count >= before.count + after.count else {
            return nil
        }
        return String(text.dropFirst(before.count).dropLast(after.count))
    }
}

/// A sentence in the language of the program's user.
package func tr(_ message: Message) -> String { message.translated }

/// A sentence about a number in the language of the program's user, in the form that the number asks for.
package func tr(_ count: Int, _ one: Message, _ many: Message) -> String {
    CountedMessage(count, one, many).translated
}
