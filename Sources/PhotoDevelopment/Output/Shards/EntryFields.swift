import FoundationEssentials

/// The fields of a catalog's entry, which is an object of JSON, as texts: a text as it is, all else as JSON writes it.
struct EntryFields {
    private let bytes: [UInt8]
    private var position = 0

    /// In the order of the entry; nil for a field that is null.
    static func fields(of entry: String) -> [(name: String, text: String?)] {
        var reader = EntryFields(bytes: Array(entry.utf8))
        return reader.fields()
    }

    private init(bytes: [UInt8]) { self.bytes = bytes }

    private mutating func fields() -> [(name: String, text: String?)] {
        var fields: [(name: String, text: String?)] = []
        guard next() == UInt8(ascii: "{") else { return [] }
        position += 1
        while next() == UInt8(ascii: "\"") {
            let name = Self.text(of: value())
            guard next() == UInt8(ascii: ":") else { return fields }
            position += 1
            _ = next()
            let value = value()
            fields.append((name, value.elementsEqual("null".utf8) ? nil : Self.text(of: value)))
            if next() == UInt8(ascii: ",") { position += 1 }
        }
        return fields
    }

    /// The next byte that is no space, where the position is then; nil at the end.
    private mutating func next() -> UInt8? {
        while position < bytes.count, Self.isSpace(bytes[position]) { position += 1 }
        return position < bytes.count ? bytes[position] : nil
    }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }

    /// The bytes of the value at the position, which is behind them then.
    private mutating func value() -> ArraySlice<UInt8> {
        let start = position
        var (depth, isInText) = (0, false)
        while position < bytes.count {
            let byte = bytes[position]
            if isInText {
                if byte == UInt8(ascii: "\\") { position += 1 }
                if byte == UInt8(ascii: "\"") { isInText = false }
            } else {
                switch byte {
                case UInt8(ascii: "\""): isInText = true
                case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
                case UInt8(ascii: "}"), UInt8(ascii: "]"):
                    if depth == 0 { return bytes[start..<position] }
                    depth -= 1
                case UInt8(ascii: ","), UInt8(ascii: ":"), 0x20, 0x09...0x0D:
                    if depth == 0 { return bytes[start..<position] }
                default: break
                }
            }
            position += 1
            if depth == 0, !isInText, [UInt8(ascii: "\""), UInt8(ascii: "}"), UInt8(ascii: "]")].contains(byte) {
                break
            }
        }
        position = min(position, bytes.count)
        return bytes[start..<position]
    }

    private static func text(of value: ArraySlice<UInt8>) -> String {
        let isText = value.count >= 2 && value.first == UInt8(ascii: "\"")
        if isText, !value.contains(UInt8(ascii: "\\")) {
            return String(decoding: value.dropFirst().dropLast(), as: UTF8.self)
        }
        // What no text can be, such as half of a pair of surrogates, stays as it is written.
        let decoded = isText ? try? JSONDecoder().decode(String.self, from: Data(value)) : nil
        return decoded ?? String(decoding: value, as: UTF8.self)
    }
}
