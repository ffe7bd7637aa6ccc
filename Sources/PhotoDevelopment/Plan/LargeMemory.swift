import Glibc

/// Zeroed memory. Pages that are never written take none.
final class LargeMemory {
    let bytes: UnsafeMutableRawBufferPointer

    /// - Parameters:
    ///   - byteCount: How many bytes.
    ///   - isMuchUsed: Whether large pages are to be taken, where there are such. What is looked at in many places would else be looked up in
    ///     the tables of pages each time; but each place that is written takes 2 MB then.
    init(byteCount: Int, isMuchUsed: Bool) {
        guard let memory = mmap(nil, byteCount, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0),
            memory != MAP_FAILED
        else { preconditionFailure("there is no memory for a plan") }
        if isMuchUsed { madvise(memory, byteCount, MADV_HUGEPAGE) }
        bytes = UnsafeMutableRawBufferPointer(start: memory, count: byteCount)
    }

    deinit { munmap(bytes.baseAddress, bytes.count) }
}
