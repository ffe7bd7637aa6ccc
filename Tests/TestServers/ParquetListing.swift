import CZstd
package import Foundation

/// What a file of Parquet says, read by its specification: as much of it as is needed here.
package struct ParquetListing {
    package struct Column: Equatable {
        package let name: String
        /// Numbers as texts, too; nil where a value is missing.
        package let values: [String?]
        package let pages: Int
    }

    /// The file is not as the specification wants it.
    private struct Flaw: Error { let line: Int }

    package private(set) var columns: [Column] = []
    package private(set) var rows = 0

    package subscript(name: String) -> [String?]? { columns.first { $0.name == name }?.values }

    private static func check(_ isRight: Bool, line: Int = #line) throws {
        if !isRight { throw Flaw(line: line) }
    }

    private static func known<Value>(_ value: Value?, line: Int = #line) throws -> Value {
        guard let value else { throw Flaw(line: line) }
        return value
    }

    package init(_ file: Data) throws {
        let bytes = [UInt8](file)
        try Self.check(bytes.prefix(4) == ArraySlice("PAR1".utf8))
        try Self.check(bytes.suffix(4) == ArraySlice("PAR1".utf8))
        let length = Self.number(bytes[(bytes.count - 8)..<(bytes.count - 4)])
        var reader = ThriftReader(bytes: bytes, position: bytes.count - 8 - length)
        let footer = reader.structure()
        try Self.check(reader.position == bytes.count - 8)
        rows = try Self.known(footer[3]?.number)
        let schema = try Self.known(footer[2]?.list).dropFirst()
        let group = try Self.known(footer[4]?.list?.first?.fields)
        try Self.check(footer[4]?.list?.count == 1)
        try Self.check(group[3]?.number == rows)
        let chunks = try Self.known(group[1]?.list)
        try Self.check(chunks.count == schema.count)
        for (element, chunk) in zip(schema, chunks) {
            let name = try Self.known(element.fields?[4]?.text)
            let isText = element.fields?[1]?.number == 6
            try Self.check(element.fields?[6]?.number == (isText ? 0 : nil))
            let facts = try Self.known(chunk.fields?[3]?.fields)
            try Self.check(facts[3]?.list?.first?.text == name)
            try Self.check(facts[5]?.number == rows)
            var page = ThriftReader(bytes: bytes, position: try Self.known(facts[9]?.number))
            let end = page.position + (try Self.known(facts[7]?.number))
            var (values, pages, unpacked): ([String?], Int, Int) = ([], 0, 0)
            while page.position < end {
                let start = page.position
                let head = page.structure()
                let size = try Self.known(head[2]?.number)
                let packed = try Self.known(head[3]?.number)
                unpacked += page.position - start + size
                let raw = try Self.unpacked(bytes[page.position..<page.position + packed], to: size)
                values += try Self.values(raw, count: try Self.known(head[5]?.fields?[1]?.number), isText: isText)
                page.position += packed
                pages += 1
            }
            try Self.check(page.position == end)
            try Self.check(unpacked == facts[6]?.number)
            columns.append(Column(name: name, values: values, pages: pages))
        }
    }

    private static func unpacked(_ bytes: ArraySlice<UInt8>, to count: Int) throws -> [UInt8] {
        let bytes = Array(bytes)
        let unpacked = [UInt8](unsafeUninitializedCapacity: count) { room, filled in
            filled = ZSTD_decompress(room.baseAddress, count, bytes, bytes.count)
        }
        try check(unpacked.count == count)
        return unpacked
    }

    private static func number(_ bytes: some Collection<UInt8>) -> Int {
        bytes.reversed().reduce(0) { $0 << 8 | Int($1) }
    }

    private static func values(_ page: [UInt8], count: Int, isText: Bool) throws -> [String?] {
        var position = 4 + number(page[..<4])
        let levels = page[4..<position]
        var reader = ThriftReader(bytes: page, position: 4)
        let run = reader.varint()
        let isBits = run & 1 == 1
        try check(isBits || run >> 1 == count)
        let bits = page[reader.position..<levels.endIndex]
        try check(bits.count == (isBits ? run >> 1 : 1))
        return (0..<count).map { place in
            let isThere =
                isBits ? bits[bits.startIndex + place / 8] >> (place % 8) & 1 == 1 : bits[bits.startIndex] == 1
            guard isThere else { return nil }
            if isText {
                let length = number(page[position..<position + 4])
                defer { position += 4 + length }
                return String(decoding: page[position + 4..<position + 4 + length], as: UTF8.self)
            }
            defer { position += 8 }
            return String(page[position..<position + 8].reversed().reduce(Int64(0)) { $0 << 8 | Int64($1) })
        }
    }
}

/// Reads Thrift's compact protocol.
private struct ThriftReader {
    enum Value {
        case number(Int)
        case text(String)
        case list([Value])
        case fields([Int: Value])

        var number: Int? { if case .number(let value) = self { value } else { nil } }
        var text: String? { if case .text(let value) = self { value } else { nil } }
        var list: [Value]? { if case .list(let value) = self { value } else { nil } }
        var fields: [Int: Value]? { if case .fields(let value) = self { value } else { nil } }
    }

    let bytes: [UInt8]
    var position: Int

    mutating func byte() -> UInt8 {
        defer { position += 1 }
        return bytes[position]
    }

    mutating func varint() -> Int {
        var (value, shift) = (0, 0)
        while true {
            let byte = byte()
            value |= Int(byte & 0x7F) << shift
            shift += 7
            if byte < 0x80 { return value }
        }
    }

    mutating func structure() -> [Int: Value] {
        var (fields, last): ([Int: Value], Int) = ([:], 0)
        while true {
            let head = byte()
            if head == 0 { return fields }
            last += Int(head >> 4)
            fields[last] = value(head & 15)
        }
    }

    private mutating func value(_ kind: UInt8) -> Value {
        switch kind {
        case 5, 6:
            let value = varint()
            return .number(value >> 1 ^ -(value & 1))
        case 8:
            let count = varint()
            defer { position += count }
            return .text(String(decoding: bytes[position..<position + count], as: UTF8.self))
        case 9:
            let head = byte()
            let count = head >> 4 == 15 ? varint() : Int(head >> 4)
            return .list((0..<count).map { _ in value(head & 15) })
        case 12: return .fields(structure())
        // What is read differs from what is expected.
        default: return .fields([:])
        }
    }
}
