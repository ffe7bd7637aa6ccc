import Transfers

extension ShardMarker {
    /// Reads a marker as ``text()`` writes it, in one pass.
    ///
    /// - Returns: Nil for anything else, be it JSON or not: the decoder has the word on that.
    init?(asWritten bytes: UnsafeRawBufferPointer) {
        var text = WrittenText(bytes: bytes)
        guard text.skip("{\"attempt\":"), let attempt = text.word(), text.skip(",\"bytes\":"),
            let received = text.number(),
            text.skip(",\"failures\":"), let failures = text.counts(), text.skip(",\"index\":"),
            let index = text.file(),
            text.skip(",\"plan\":"), let plan = text.word(), text.skip(",\"rows\":"), let rows = text.number(),
            text.skip(",\"shard\":"), let shard = text.number(), text.skip(",\"table\":"), let table = text.file(),
            text.skip(",\"tar\":"), let tar = text.file(), text.skip(",\"task\":"), let task = text.number(),
            text.skip(",\"written\":"), let written = text.number(), text.skip("}\n"), text.isAtEnd
        else { return nil }
        self.init(
            plan: plan, shard: shard, task: task, attempt: attempt, rows: rows, written: written, failures: failures,
            bytes: received, tar: tar, index: index, table: table)
    }
}

/// JSON as the encoder writes it, without white space, of which only the simplest is read.
private struct WrittenText {
    let bytes: UnsafeRawBufferPointer
    private var position = 0

    init(bytes: UnsafeRawBufferPointer) {
        self.bytes = bytes
    }

    var isAtEnd: Bool { position == bytes.count }

    mutating func skip(_ text: StaticString) -> Bool {
        let length = text.utf8CodeUnitCount
        guard position + length <= bytes.count else { return false }
        for place in 0..<length where bytes[position + place] != text.utf8Start[place] { return false }
        position += length
        return true
    }

    /// A number from 0, of at most 18 digits.
    mutating func number() -> Int? {
        let start = position
        var number = 0
        while position < bytes.count, (0x30...0x39).contains(bytes[position]), position - start < 18 {
            number = number * 10 + Int(bytes[position] - 0x30)
            position += 1
        }
        let digits = position - start
        guard digits > 0, digits == 1 || bytes[start] != 0x30 else { return nil }
        return number
    }

    /// A text of ASCII without escapes.
    mutating func word() -> String? {
        guard skip("\"") else { return nil }
        let start = position
        while position < bytes.count, bytes[position] != 0x22 {
            guard (0x20..<0x7F).contains(bytes[position]), bytes[position] != 0x5C else { return nil }
            position += 1
        }
        let word = String(decoding: UnsafeRawBufferPointer(rebasing: bytes[start..<position]), as: UTF8.self)
        return skip("\"") ? word : nil
    }

    mutating func counts() -> [String: Int]? {
        guard skip("{") else { return nil }
        var counts: [String: Int] = [:]
        if skip("}") { return counts }
        repeat {
            guard let word = word(), skip(":"), let number = number(), counts.updateValue(number, forKey: word) == nil
            else {
                return nil
            }
        } while skip(",")
        return skip("}") ? counts : nil
    }

    mutating func file() -> ShardMarker.File? {
        guard skip("{\"sha256\":"), let digest = word(), skip(",\"size\":"), let size = number(), skip("}") else {
            return nil
        }
        return ShardMarker.File(size: size, sha256: digest)
    }
}
