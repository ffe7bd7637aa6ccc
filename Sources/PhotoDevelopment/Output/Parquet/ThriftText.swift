/// Writes Thrift's compact protocol, in which Parquet describes itself
/// (https://github.com/apache/thrift/blob/master/doc/specs/thrift-compact-protocol.md).
struct ThriftText {
    /// The types of fields, by their numbers in the protocol.
    enum Kind: UInt8 {
        case int32 = 5
        case int64 = 6
        case binary = 8
        case list = 9
        case structure = 12
    }

    private(set) var bytes: [UInt8] = []
    private var lastField = 0

    /// A structure alone, with its end.
    init(_ body: (inout ThriftText) -> Void) {
        body(&self)
        bytes.append(0)
    }

    private mutating func begin(_ field: Int, _ kind: Kind) {
        // All structures of Parquet have fields whose numbers are less than 16 apart.
        bytes.append(UInt8(field - lastField) << 4 | kind.rawValue)
        lastField = field
    }

    private mutating func append(_ value: Int) {
        bytes.append(varint: UInt64(bitPattern: Int64((value << 1) ^ (value >> 63))))
    }

    private mutating func append(_ text: String) {
        bytes.append(varint: UInt64(text.utf8.count))
        bytes.append(contentsOf: text.utf8)
    }

    private mutating func append(_ structure: ThriftText) { bytes.append(contentsOf: structure.bytes) }

    /// A field with a number; in both types it is written alike.
    mutating func add(_ field: Int, _ value: Int, _ kind: Kind = .int32) {
        begin(field, kind)
        append(value)
    }

    mutating func add(_ field: Int, _ text: String) {
        begin(field, .binary)
        append(text)
    }

    mutating func add(_ field: Int, _ body: (inout ThriftText) -> Void) {
        begin(field, .structure)
        append(ThriftText(body))
    }

    mutating func add(_ field: Int, listOf structures: [ThriftText]) {
        beginList(field, .structure, structures.count)
        for structure in structures { append(structure) }
    }

    mutating func add(_ field: Int, listOf texts: [String]) {
        beginList(field, .binary, texts.count)
        for text in texts { append(text) }
    }

    mutating func add(_ field: Int, listOf numbers: [Int]) {
        beginList(field, .int32, numbers.count)
        for number in numbers { append(number) }
    }

    private mutating func beginList(_ field: Int, _ kind: Kind, _ count: Int) {
        begin(field, .list)
        if count < 15 {
            bytes.append(UInt8(count) << 4 | kind.rawValue)
        } else {
            bytes.append(0xF0 | kind.rawValue)
            bytes.append(varint: UInt64(count))
        }
    }
}

extension [UInt8] {
    /// Appends a number seven bits at a time, the lowest first (unsigned LEB128), as Thrift and Parquet's levels have it.
    mutating func append(varint value: UInt64) {
        var value = value
        while value >= 0x80 {
            append(UInt8(truncatingIfNeeded: value) | 0x80)
            value >>= 7
        }
        append(UInt8(value))
    }
}
