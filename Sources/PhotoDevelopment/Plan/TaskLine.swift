import FoundationEssentials

/// A row in the file of a task: an object of JSON in a line, with the row's number, name and address and, where the catalog has one, its
/// entry. Of a broken entry it says what is wrong with it.
enum TaskLine {
    private static let (beginning, beforeFlaw, beforeEntry) = ("{\"row\":", ",\"flaw\":", ",\"catalog\":")
    private static let hexadecimal = Array("0123456789abcdef".utf8)

    /// - Parameter flaw: What is wrong with the entry, if it is broken.
    static func append(
        number: Int, name: String, address: String, flaw: String?, entry: String?, to bytes: inout [UInt8]
    ) {
        bytes.append(contentsOf: beginning.utf8)
        bytes.append(contentsOf: String(number).utf8)
        bytes.append(contentsOf: ",\"name\":".utf8)
        append(json: name, to: &bytes)
        bytes.append(contentsOf: ",\"url\":".utf8)
        append(json: address, to: &bytes)
        if let flaw {
            bytes.append(contentsOf: beforeFlaw.utf8)
            append(json: flaw, to: &bytes)
        }
        if let entry {
            bytes.append(contentsOf: beforeEntry.utf8)
            bytes.append(contentsOf: entry.utf8)
        }
        bytes.append(contentsOf: "}\n".utf8)
    }

    /// The same of what stands in JSON already.
    ///
    /// - Parameter texts: The fields with name and address, with the comma in front.
    static func append<Text: Collection>(
        number: Int, texts: Text, flaw: Text?, entry: Text?, to bytes: inout [UInt8]
    ) where Text.Element == UInt8 {
        bytes.append(contentsOf: beginning.utf8)
        bytes.append(contentsOf: String(number).utf8)
        bytes.append(contentsOf: texts)
        for (name, text) in [(beforeFlaw, flaw), (beforeEntry, entry)] {
            guard let text else { continue }
            bytes.append(contentsOf: name.utf8)
            bytes.append(contentsOf: text)
        }
        bytes.append(contentsOf: "}\n".utf8)
    }

    private static func append(json text: String, to bytes: inout [UInt8]) {
        bytes.append(0x22)
        for byte in text.utf8 {
            switch byte {
            case 0x22, 0x5C:
                bytes.append(0x5C)
                bytes.append(byte)
            case ..<0x20:
                bytes.append(contentsOf: "\\u00".utf8)
                bytes.append(hexadecimal[Int(byte >> 4)])
                bytes.append(hexadecimal[Int(byte & 15)])
            default: bytes.append(byte)
            }
        }
        bytes.append(0x22)
    }

    /// What stands beside name and address.
    struct Parts {
        let number: Int
        var flaw: String?
        var entry: String?
    }

    /// Of a line that was read; nil for what is none.
    static func parts(of line: String) -> Parts? {
        let bytes = Array(line.utf8)
        guard let number = number(of: bytes) else { return nil }
        var parts = Parts(number: number)
        var end = bytes.count - 1
        // In a name or an address the quotation marks would have backslashes in front.
        if let mark = range(of: beforeEntry, in: bytes[..<end]) {
            parts.entry = String(decoding: bytes[mark.upperBound..<end], as: UTF8.self)
            end = mark.lowerBound
        }
        if let mark = range(of: beforeFlaw, in: bytes[..<end]) {
            parts.flaw = try? JSONDecoder().decode(String.self, from: Data(bytes[mark.upperBound..<end]))
        }
        return parts
    }

    /// The number of a row, from the beginning of its line.
    static func number(of line: some Collection<UInt8>) -> Int? {
        guard line.starts(with: beginning.utf8) else { return nil }
        return Int(
            String(decoding: line.dropFirst(beginning.utf8.count).prefix { (0x30...0x39).contains($0) }, as: UTF8.self))
    }

    private static func range(of mark: String, in bytes: ArraySlice<UInt8>) -> Range<Int>? {
        let mark = Array(mark.utf8)
        var place = bytes.startIndex
        while place + mark.count <= bytes.endIndex {
            if bytes[place] == mark[0], bytes[place..<place + mark.count].elementsEqual(mark) {
                return place..<place + mark.count
            }
            place += 1
        }
        return nil
    }
}
