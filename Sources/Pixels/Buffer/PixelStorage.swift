internal import Glibc

/// The memory of a pixel buffer.
///
/// The bytes are written only before the storage is shared (while it is being made) or through `PixelBuffer`'s
/// mutating functions, which first make sure that it has a single owner. That is what makes `@unchecked
/// Sendable` true.
final class PixelStorage: @unchecked Sendable {
    let bytes: UnsafeMutableRawBufferPointer

    /// Memory that has not been written yet, aligned to a cache line at least.
    init(uninitializedByteCount count: Int) {
        let isLarge = count >= Self.largeByteCount
        bytes = .allocate(byteCount: count, alignment: isLarge ? Self.hugePageSize : 64)
        if isLarge {
            // Touching a new large picture page by page costs several times what filtering it does. It is only
            // advice: where the system gives no huge pages nothing is lost.
            madvise(bytes.baseAddress, count / Self.hugePageSize * Self.hugePageSize, MADV_HUGEPAGE)
        }
    }

    deinit {
        bytes.deallocate()
    }

    private static let hugePageSize = 2 << 20

    /// From here on alignment to a huge page wastes little.
    private static let largeByteCount = 4 * hugePageSize
}
