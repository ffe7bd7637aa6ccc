/// What is said of a number of things, such as “3 photos”, in the form that a language has for the number. It may stand in a
/// ``Message`` in the place of a value, also beside others, as in “3 photos in 1 shard”.
package struct CountedMessage: Sendable {
    private let count: Int
    private let one: Message
    private let many: Message

    /// - Parameters:
    ///   - count: The number.
    ///   - one: What is said where it is 1.
    ///   - many: What is said of any other number, and the text whose values translations have places for.
    package init(_ count: Int, _ one: Message, _ many: Message) {
        (self.count, self.one, self.many) = (count, one, many)
    }

    package var english: String { count == 1 ? one.english : many.english }

    /// What is said in the language of the program's user; in English where it has no translation.
    package var translated: String { Message.translated(count, one, many) }
}
