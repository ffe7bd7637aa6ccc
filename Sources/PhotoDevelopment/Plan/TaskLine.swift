import Catalogs
import FoundationEssentials

/// A row in the file of a task: an object of JSON in a line, with the row's number, name, if it is not made of the address, address and, where the catalog has one, its
/// entry. Of a broken entry it says what is wrong with it.
enum TaskLine {
    private static let (beginning, beforeName, beforeAddress) = ("{\"row\":", ",\"name\":", ",\"url\":")
    private static let (beforeFlaw, beforeEntry) = (",\"flaw\":", ",\"catalog\":")

    /// - Parameter flaw: What is wrong with the entry, if it is broken.
    static func append(
        number: Int, name: String, address: String, flaw: String?, entry: String?, to bytes: inout [UInt8]
    ) {
        bytes.append(contentsOf: beginning.utf8)
        bytes.append(contentsOf: String(number).utf8)
        for (field, text) in [(beforeName, name), (beforeAddress, address), (beforeFlaw, flaw)] {
            guard let text else { continue }
            bytes.append(contentsOf: field.utf8)
            bytes.append(contentsOf: CatalogText.json(text).utf8)
        }
        end(entry, &bytes)
    }

    /// The same of bytes in UTF-8.
    ///
    /// - Parameter name: Nil where it is made of the address.
    static func append(
        number: Int, name: UnsafeBufferPointer<UInt8>?, address: UnsafeBufferPointer<UInt8>, entry: String?,
        to bytes: inout [UInt8]
    ) {
        bytes.append(contentsOf: beginning.utf8)
        bytes.append(contentsOf: String(number).utf8)
        if let name {
            bytes.append(contentsOf: beforeName.utf8)
            CatalogText.appendJSON(name, to: &bytes)
        }
        bytes.append(contentsOf: beforeAddress.utf8)
        CatalogText.appendJSON(address, to: &bytes)
        end(entry, &bytes)
    }

    private static func end(_ entry: String?, _ bytes: inout [UInt8]) {
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
