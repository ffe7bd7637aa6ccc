import Glibc

/// Elements one behind the other in memory of their own, as many as a catalog has.
///
/// Memory from `malloc` and not an array: `realloc` grows and shrinks large blocks without a second copy, and where
/// there is no more memory an array ends the program. A block is exhausted then, loses what is appended, and whoever
/// made it throws it away.
///
/// It is safe to share because only the reader that makes it appends to it, on one thread, before the catalog that
/// holds it exists; after that nothing writes.
final class Block<Element: BitwiseCopyable>: @unchecked Sendable {
    private var base: UnsafeMutablePointer<Element>?
    private var capacity = 0
    private(set) var count = 0
    /// Whether there was no memory for something that was appended.
    private(set) var isExhausted = false

    init(capacity: Int = 0) { grow(to: capacity) }

    /// Makes a block of `count` elements that `fill` puts into it; nil where there is no memory or nothing to put there.
    convenience init?(count: Int, filledBy fill: (UnsafeMutableRawBufferPointer) -> Bool) {
        self.init(capacity: count)
        let bytes = count * MemoryLayout<Element>.stride
        guard !isExhausted, fill(UnsafeMutableRawBufferPointer(start: base, count: bytes)) else { return nil }
        self.count = count
    }

    deinit { free(base) }

    var elements: UnsafeMutableBufferPointer<Element> { UnsafeMutableBufferPointer(start: base, count: count) }

    subscript(index: Int) -> Element { elements[index] }

    func append(_ element: Element) {
        if count == capacity { grow(to: max(64, capacity + capacity / 2)) }
        guard count < capacity, let base else { return }
        base[count] = element
        count += 1
    }

    func append(contentsOf other: some Collection<Element>) { for element in other { append(element) } }

    /// Drops the elements from an index on.
    func truncate(to newCount: Int) { count = min(count, newCount) }

    func removeFirst() {
        guard let base, count > 0 else { return }
        memmove(base, base + 1, (count - 1) * MemoryLayout<Element>.stride)
        count -= 1
    }

    private func grow(to newCapacity: Int) {
        guard newCapacity > capacity, !isExhausted else { return }
        let (bytes, isTooMany) = newCapacity.multipliedReportingOverflow(by: MemoryLayout<Element>.stride)
        guard !isTooMany, let memory = realloc(base, bytes) else {
            isExhausted = true
            return
        }
        base = memory.assumingMemoryBound(to: Element.self)
        capacity = newCapacity
    }
}
