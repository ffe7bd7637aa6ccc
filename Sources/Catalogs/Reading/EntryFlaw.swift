/// What is wrong with an entry, small enough that a catalog of nothing but broken entries stays small.
struct EntryFlaw: Sendable {
    enum Kind: UInt8, Sendable {
        case missingAddress, duplicateAddress, duplicateName
        case addressHasWrongType, nameHasWrongType, entryHasWrongType
        case missingValue, missingKey
        case addressNotUTF8, nameNotUTF8, textNotUTF8
        case badEscape, loneSurrogate, controlCharacter, bareAmpersand, undefinedEntity, badCharacterReference
        case elementInText, bareLess, missingEndTag, strayEndTag, unsupportedOctal
        case wrongFieldCount, textAfterQuote
        case tabInAddress
        case tooDeep, malformed
        case unreadable
    }

    /// The field of an entry that a flaw is about.
    enum Field: UInt8, Sendable { case name, address }

    var kind: Kind
    var field: Field?
    /// The type that was found (a ``TreeValueKind``), or the number of fields.
    var detail: UInt32 = 0
    /// The place, 0 where it is unknown.
    var line: UInt32 = 0
    var column: UInt32 = 0

    /// The reason as a part of a sentence.
    /// - Parameters:
    ///   - columns: The number of columns that a table's header has.
    ///   - keys: What address and name are called.
    func reason(columns: Int, _ keys: CatalogKeys) -> String {
        let found = TreeValueKind(rawValue: UInt8(truncatingIfNeeded: detail))?.description ?? "something else"
        return switch kind {
        case .missingAddress: "the entry has no “\(keys.address)”"
        case .duplicateAddress: "the entry has “\(keys.address)” more than once"
        case .duplicateName: "the entry has “\(keys.name)” more than once"
        case .addressHasWrongType: "the address must be text, not \(found)"
        case .nameHasWrongType: "the name must be text, not \(found)"
        case .entryHasWrongType: "an entry must be an address or have a “\(keys.address)”, not be \(found)"
        case .missingValue: "the key has no value"
        case .missingKey: "the value has no key"
        case .addressNotUTF8: "the address is not UTF-8"
        case .nameNotUTF8: "the name is not UTF-8"
        case .textNotUTF8: "the entry has text that is not UTF-8"
        case .badEscape: "the text has an unknown escape after “\\”"
        case .loneSurrogate: "the text has half of a surrogate pair"
        case .controlCharacter: "the text has a control character that must be escaped"
        case .bareAmpersand: "“&” must be written “&amp;”"
        case .undefinedEntity: "the text has an entity that nothing defines; “&” must be written “&amp;”"
        case .badCharacterReference: "the text has a reference to no character"
        case .elementInText: "the text has an element inside"
        case .bareLess: "“<” in text must be written “&lt;”"
        case .missingEndTag: "an end tag is missing"
        case .strayEndTag: "an end tag has no start"
        case .unsupportedOctal: "octal escapes past \\375 are no characters; write \\U and four hexadecimal digits"
        case .wrongFieldCount: "the row has \(detail) field\(detail == 1 ? "" : "s"), the header \(columns)"
        case .tooDeep: "the entry is nested too deep"
        case .malformed: "the entry breaks the rules of its format"
        case .unreadable: "the entry cannot be read back from the temporary file that it was put into"
        case .tabInAddress: "it has more than an address; a table begins with its columns' names, such as “url”"
        case .textAfterQuote: "there is text after a closing quotation mark"
        }
    }
}

/// The type of a value that is not text.
enum TreeValueKind: UInt8, Sendable, CustomStringConvertible {
    case dictionary, array, number, boolean, null, date, data, element, identifier

    var description: String {
        switch self {
        case .dictionary: "a dictionary"
        case .array: "an array"
        case .number: "a number"
        case .boolean: "a truth value"
        case .null: "null"
        case .date: "a date"
        case .data: "data"
        case .element: "an unknown element"
        case .identifier: "an object reference"
        }
    }
}
