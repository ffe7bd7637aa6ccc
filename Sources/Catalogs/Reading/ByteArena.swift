import Glibc

/// A range of bytes in a ``ByteArena``.
struct ArenaRange: Sendable, Hashable {
    var start: UInt32
    var count: UInt32
}

/// The block of bytes that holds a catalog's texts.
///
/// It is safe to share because only the reader that makes it appends to it, on one thread, before the catalog that
/// holds it exists; after that nothing writes. Memory from `malloc` and not an array, because `realloc` grows and
/// shrinks large blocks without holding a second copy.
final class ByteArena: @unchecked Sendable {
    private var base: UnsafeMutablePointer<UInt8>
    private var capacity: Int
    private(set) var count = 0

    init(capacity: Int) {
        self.capacity = max(64, capacity)
        base = ByteArena.grown(nil, to: self.capacity)
    }

    /// Takes over memory from `malloc` that holds `count` bytes.
    init(adopting memory: UnsafeMutableRawPointer, count: Int) {
        base = memory.assumingMemoryBound(to: UInt8.self)
        capacity = count
        self.count = count
    }

    deinit { free(base) }

    var bytes: UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(start: base, count: count) }

    func bytes(_ range: ArenaRange) -> UnsafeBufferPointer<UInt8> {
        UnsafeBufferPointer(rebasing: bytes[Int(range.start)..<Int(range.start) + Int(range.count)])
    }

    func string(_ range: ArenaRange) -> String { String(decoding: bytes(range), as: UTF8.self) }

    func append(_ byte: UInt8) {
        reserve(1)
        base[count] = byte
        count += 1
    }

    func append(_ source: UnsafeBufferPointer<UInt8>) {
        guard let start = source.baseAddress, !source.isEmpty else { return }
        reserve(source.count)
        memcpy(base + count, start, source.count)
        count += source.count
    }

    func append(_ scalar: Unicode.Scalar) {
        for byte in String(scalar).utf8 { append(byte) }
    }

    /// What was appended since the arena had `start` bytes.
    func range(from start: Int) -> ArenaRange {
        ArenaRange(start: UInt32(start), count: UInt32(count - start))
    }

    /// Forgets what was appended since the arena had `newCount` bytes.
    func truncate(to newCount: Int) { count = min(count, newCount) }

    /// Gives back what was reserved and not used.
    func shrink() {
        capacity = max(64, count)
        base = ByteArena.grown(base, to: capacity)
    }

    /// Hands the bytes over as a source; the arena is empty afterwards.
    func makeSource() -> CatalogSource {
        let source = CatalogSource(adopting: base, count: count)
        count = 0
        capacity = 64
        base = ByteArena.grown(nil, to: capacity)
        return source
    }

    private func reserve(_ more: Int) {
        guard count + more > capacity else { return }
        capacity = max(count + more, capacity + capacity / 2)
        base = ByteArena.grown(base, to: capacity)
    }

    private static func grown(_ old: UnsafeMutablePointer<UInt8>?, to capacity: Int) -> UnsafeMutablePointer<UInt8> {
        guard let memory = realloc(old, capacity) else {
            preconditionFailure("out of memory for \(capacity) bytes of a catalog")
        }
        return memory.assumingMemoryBound(to: UInt8.self)
    }
}
