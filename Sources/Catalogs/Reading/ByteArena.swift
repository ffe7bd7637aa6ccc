import Glibc

/// A range of bytes in a ``ByteArena``.
struct ArenaRange: Sendable, Hashable {
    var start: UInt32
    var count: UInt32
}

/// The block of bytes that holds a catalog's texts.
///
/// It is safe to share because only the reader that makes it appends to it, on one thread, before the catalog that
/// holds it exists; after that nothing writes. Like a ``Block`` it is exhausted where there is no more memory.
final class ByteArena: @unchecked Sendable {
    private var base: UnsafeMutablePointer<UInt8>?
    private var capacity = 0
    private(set) var count = 0
    /// Whether there was no memory for something that was appended, or no range can name it.
    private(set) var isExhausted = false

    init(capacity: Int) { resize(to: max(64, capacity)) }

    /// Takes over memory from `malloc` that holds `count` bytes.
    init(adopting memory: UnsafeMutableRawPointer, count: Int) {
        base = memory.assumingMemoryBound(to: UInt8.self)
        capacity = count
        self.count = count
    }

    /// Makes an arena of `count` bytes that `fill` puts into it; nil where there is no memory or nothing to put there.
    convenience init?(count: Int, filledBy fill: (UnsafeMutableRawBufferPointer) -> Bool) {
        self.init(capacity: count)
        guard !isExhausted, fill(UnsafeMutableRawBufferPointer(start: base, count: count)) else { return nil }
        self.count = count
    }

    deinit { free(base) }

    var bytes: UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(start: base, count: count) }

    func bytes(_ range: ArenaRange) -> UnsafeBufferPointer<UInt8> {
        UnsafeBufferPointer(rebasing: bytes[Int(range.start)..<Int(range.start) + Int(range.count)])
    }

    func string(_ range: ArenaRange) -> String { String(decoding: bytes(range), as: UTF8.self) }

    func append(_ byte: UInt8) {
        guard reserve(1), let base else { return }
        base[count] = byte
        count += 1
    }

    func append(_ source: UnsafeBufferPointer<UInt8>) {
        guard let start = source.baseAddress, !source.isEmpty, reserve(source.count), let base else { return }
        memcpy(base + count, start, source.count)
        count += source.count
    }

    func append(_ scalar: Unicode.Scalar) {
        for byte in String(scalar).utf8 { append(byte) }
    }

    /// Appends a byte of such a text.
    private func appendJSON(_ byte: UInt8) {
        switch byte {
        case Byte.quote, Byte.backslash:
            append(Byte.backslash)
            append(byte)
        case 0..<0x20:
            for letter in "\\u00".utf8 { append(letter) }
            if byte < 0x10 { append(UInt8(ascii: "0")) }
            for letter in String(byte, radix: 16).utf8 { append(letter) }
        default: append(byte)
        }
    }

    /// Appends a text as it stands between the quotation marks of JSON.
    func appendJSON(_ text: UnsafeBufferPointer<UInt8>) {
        var start = 0
        while start < text.count {
            let end = ByteSearch.first(in: text, from: start) {
                $0.hasLess(than: 0x20) .| $0.has(Byte.quote) .| $0.has(Byte.backslash)
            }
            append(UnsafeBufferPointer(rebasing: text[start..<end]))
            guard end < text.count else { return }
            appendJSON(text[end])
            start = end + 1
        }
    }

    /// What was appended since the arena had `start` bytes.
    func range(from start: Int) -> ArenaRange {
        guard count <= Int(UInt32.max) else {
            isExhausted = true
            return ArenaRange(start: 0, count: 0)
        }
        return ArenaRange(start: UInt32(start), count: UInt32(count - start))
    }

    /// Forgets what was appended since the arena had `newCount` bytes.
    func truncate(to newCount: Int) { count = min(count, newCount) }

    /// Gives back what was reserved and not used.
    func shrink() { resize(to: max(64, count)) }

    /// Hands the bytes over as a source; the arena is empty afterwards.
    func makeSource() -> CatalogSource? {
        guard !isExhausted, let base else { return nil }
        let source = CatalogSource(adopting: base, count: count)
        self.base = nil
        (count, capacity) = (0, 0)
        return source
    }

    @inline(__always)
    private func reserve(_ more: Int) -> Bool {
        if count + more <= capacity { return true }
        guard count + more <= Int(UInt32.max) else {
            isExhausted = true
            return false
        }
        resize(to: max(64, count + more, capacity + capacity / 2))
        return count + more <= capacity
    }

    private func resize(to newCapacity: Int) {
        guard let memory = realloc(base, newCapacity) else {
            isExhausted = true
            return
        }
        base = memory.assumingMemoryBound(to: UInt8.self)
        capacity = newCapacity
    }
}
