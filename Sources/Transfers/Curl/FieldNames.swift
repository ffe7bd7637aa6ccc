/// The names of the fields that came, as far as 64 bits can tell: libcurl compares a name that it is asked for with all
/// of them, and most that are asked for are not there.
struct FieldNames {
    private var bits: UInt64 = 0

    /// A header line arrived.
    mutating func insert(line: UnsafeRawBufferPointer) {
        guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { return }
        bits |= Self.bit(UnsafeRawBufferPointer(rebasing: line[..<colon]))
    }

    /// False if there was certainly no field of the name.
    func mayContain(_ name: UnsafeRawBufferPointer) -> Bool { bits & Self.bit(name) != 0 }

    /// Made of the length and the first letter, capital or not.
    private static func bit(_ name: UnsafeRawBufferPointer) -> UInt64 {
        let letter = (name.first ?? 0) & 0x1F
        return 1 << UInt64((name.count &* 5 &+ Int(letter)) & 63)
    }
}
