/// What a letter is sorted and searched as that no decomposition takes apart.
package struct BaseLetter {
    /// The letters without a stroke and the like, in lower case.
    package let letters: String
    /// Whether it is a letter of its own in its language, and not another way of writing these.
    package let isOfItsOwn: Bool

    /// The base of a letter in lower case; nil where it is one itself, or has one by its decomposition.
    package init?(of letter: Unicode.Scalar) {
        switch letter {
        case "æ": self.init("ae")
        case "œ": self.init("oe")
        case "ß": self.init("ss")
        case "đ", "ð": self.init("d", isOfItsOwn: true)
        case "ħ": self.init("h", isOfItsOwn: true)
        case "ı": self.init("i")
        case "ł": self.init("l", isOfItsOwn: true)
        case "ø": self.init("o", isOfItsOwn: true)
        case "ŧ", "þ": self.init("t", isOfItsOwn: true)
        default: return nil
        }
    }

    private init(_ letters: String, isOfItsOwn: Bool = false) {
        (self.letters, self.isOfItsOwn) = (letters, isOfItsOwn)
    }
}
