import Glibc

/// Zeroed memory in large pages, where there are such: what is looked at in many places would else be looked up in the tables of pages each
/// time. Large pages that are never written take no memory.
final class LargeMemory {
    let bytes: UnsafeMutableRawBufferPointer

    init(byteCount: Int) {
        guard let memory = mmap(nil, byteCount, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0),
            memory != MAP_FAILED
        else { preconditionFailure("there is no memory for a plan") }
        madvise(memory, byteCount, MADV_HUGEPAGE)
        bytes = UnsafeMutableRawBufferPointer(start: memory, count: byteCount)
    }

    deinit { munmap(bytes.baseAddress, bytes.count) }
}
