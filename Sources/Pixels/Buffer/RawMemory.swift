internal import Glibc

/// Memory from the system, which may have none. Swift's own allocation then ends the program.
enum RawMemory {
    /// - Returns: nil where there is none; otherwise to be given to ``free(_:)``.
    static func allocate(byteCount: Int, alignment: Int = 64) -> UnsafeMutableRawBufferPointer? {
        var start: UnsafeMutableRawPointer?
        guard byteCount >= 0, posix_memalign(&start, alignment, max(1, byteCount)) == 0, let start else { return nil }
        return UnsafeMutableRawBufferPointer(start: start, count: byteCount)
    }

    static func free(_ bytes: UnsafeMutableRawBufferPointer) {
        Glibc.free(bytes.baseAddress)
    }
}
