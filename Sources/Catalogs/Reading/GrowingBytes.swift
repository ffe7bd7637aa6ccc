import Glibc

/// Bytes that come in one piece after another, in memory that may become a catalog's source.
struct GrowingBytes: ~Copyable {
    private let limit: Int
    private var memory: UnsafeMutableRawPointer?
    private var capacity: Int
    private(set) var count = 0

    /// - Parameters:
    ///   - limit: How many there may be, if that is no more than catalogs may have.
    ///   - capacity: How many there will be, if that is known.
    init(limit: Int, capacity: Int = 1 << 16) {
        self.limit = min(limit, CatalogLimits.mostBytes)
        // One byte more than there may be, so that too many are seen.
        self.capacity = max(1, min(capacity, self.limit + 1))
    }

    deinit { free(memory) }

    /// Where the next ones go; never empty.
    mutating func room() throws(CatalogError) -> UnsafeMutableRawBufferPointer {
        if memory == nil || count == capacity {
            if count == capacity { capacity = min(capacity * 2, limit + 1) }
            guard let grown = realloc(memory, capacity) else { throw .outOfMemory }
            memory = grown
        }
        return UnsafeMutableRawBufferPointer(start: memory.map { $0 + count }, count: capacity - count)
    }

    /// Those that are there, until more come or some go.
    var bytes: UnsafeBufferPointer<UInt8> {
        UnsafeBufferPointer(start: memory?.assumingMemoryBound(to: UInt8.self), count: count)
    }

    /// Takes what a reader brings until there are so many.
    ///
    /// - Returns: Whether there are no more to come.
    mutating func fill(to wanted: Int, from reader: UnpackingReader) throws(CatalogError) -> Bool {
        let block = 1 << 17
        while count < wanted {
            let received = try reader.read(into: UnsafeMutableRawBufferPointer(rebasing: room().prefix(block)))
            if received == 0 { return true }
            try append(received)
        }
        return false
    }

    /// Lets some go; those behind them follow.
    mutating func remove(_ range: Range<Int>) {
        guard let memory, !range.isEmpty else { return }
        memmove(memory + range.lowerBound, memory + range.upperBound, count - range.upperBound)
        count -= range.count
    }

    /// So many have come to where there was room.
    mutating func append(_ received: Int) throws(CatalogError) {
        count += received
        if count > limit { throw .tooLarge(limit: limit) }
    }

    /// All of them.
    consuming func source() -> CatalogSource {
        let (memory, count) = (memory.take(), count)
        guard let memory else { return CatalogSource(borrowing: UnsafeBufferPointer(start: nil, count: 0)) }
        return CatalogSource(adopting: memory, count: count)
    }
}
