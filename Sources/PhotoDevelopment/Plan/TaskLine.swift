import Catalogs
import FoundationEssentials

/// A row in the file of a task: an object of JSON in a line, with the row's number, name, if it is not made of the address, address and, where the catalog has one, its
/// entry. Of a broken entry it says what is wrong with it.
enum TaskLine {
    private static var beginning: StaticString { "{\"row\":" }
    private static var beforeName: StaticString { ",\"name\":" }
    private static var beforeAddress: StaticString { ",\"url\":" }
    private static var beforeFlaw: StaticString { ",\"flaw\":" }
    private static var beforeEntry: StaticString { ",\"catalog\":" }
    private static var end: StaticString { "}\n" }

    /// - Parameter flaw: What is wrong with the entry, if it is broken.
    static func append(
        number: Int, name: String, address: String, flaw: String?, entry: UnsafeBufferPointer<UInt8>?,
        to bytes: LineBuffer
    ) {
        bytes.append(beginning)
        bytes.append(decimal: number)
        for (field, text) in [(beforeName, name), (beforeAddress, address), (beforeFlaw, flaw)] {
            guard let text else { continue }
            bytes.append(field)
            bytes.append(CatalogText.json(text))
        }
        end(entry, bytes)
    }

    /// The same of bytes in UTF-8.
    ///
    /// - Parameter name: Nil where it is made of the address.
    static func append(
        number: Int, name: UnsafeBufferPointer<UInt8>?, address: UnsafeBufferPointer<UInt8>,
        entry: UnsafeBufferPointer<UInt8>?, to bytes: LineBuffer
    ) {
        bytes.append(beginning)
        bytes.append(decimal: number)
        if let name {
            bytes.append(beforeName)
            bytes.appendJSON(name)
        }
        bytes.append(beforeAddress)
        bytes.appendJSON(address)
        end(entry, bytes)
    }

    private static func end(_ entry: UnsafeBufferPointer<UInt8>?, _ bytes: LineBuffer) {
        if let entry {
            bytes.append(beforeEntry)
            if (try? UTF8Span(validating: entry.span)) != nil {
                bytes.append(UnsafeRawBufferPointer(entry))
            } else {
                bytes.append(String(decoding: entry, as: UTF8.self))
            }
        }
        bytes.append(end)
    }

    /// The same of what stands in JSON already.
    ///
    /// - Parameter texts: The fields with name and address, with the comma in front.
    static func append<Text: Collection>(
        number: Int, texts: Text, flaw: Text?, entry: Text?, to bytes: inout [UInt8]
    ) where Text.Element == UInt8 {
        bytes.append(contentsOf: beginning.bytes)
        bytes.append(contentsOf: String(number).utf8)
        bytes.append(contentsOf: texts)
        for (name, text) in [(beforeFlaw, flaw), (beforeEntry, entry)] {
            guard let text else { continue }
            bytes.append(contentsOf: name.bytes)
            bytes.append(contentsOf: text)
        }
        bytes.append(contentsOf: end.bytes)
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
        guard line.starts(with: beginning.bytes) else { return nil }
        return Int(
            String(
                decoding: line.dropFirst(beginning.utf8CodeUnitCount).prefix { (0x30...0x39).contains($0) },
                as: UTF8.self))
    }

    private static func range(of mark: StaticString, in bytes: ArraySlice<UInt8>) -> Range<Int>? {
        let mark = mark.bytes
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

extension StaticString {
    /// Its UTF-8.
    fileprivate var bytes: UnsafeBufferPointer<UInt8> {
        UnsafeBufferPointer(start: utf8Start, count: utf8CodeUnitCount)
    }
}
