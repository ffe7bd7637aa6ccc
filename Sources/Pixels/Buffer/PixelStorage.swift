internal import Glibc

/// The memory of a pixel buffer.
///
/// The bytes are written only before the storage is shared (while it is being made) or through `PixelBuffer`'s
/// mutating functions, which first make sure that it has a single owner. That is what makes `@unchecked
/// Sendable` true.
final class PixelStorage: @unchecked Sendable {
    let bytes: UnsafeMutableRawBufferPointer
    /// What the bytes are the beginning of.
    private let block: UnsafeMutableRawBufferPointer

    /// Memory with anything in it, aligned to a cache line at least; nil where there is none.
    init?(uninitializedByteCount count: Int) {
        guard let block = PixelMemory.shared.take(byteCount: count) ?? Self.newBlock(byteCount: count) else {
            return nil
        }
        self.block = block
        bytes = UnsafeMutableRawBufferPointer(rebasing: block[..<count])
    }

    private static func newBlock(byteCount count: Int) -> UnsafeMutableRawBufferPointer? {
        let isLarge = count >= largeByteCount
        let block = RawMemory.allocate(byteCount: count, alignment: isLarge ? hugePageSize : 64)
        if isLarge, let block {
            // Touching a new large picture page by page costs several times what filtering it does. It is only
            // advice: where the system gives no huge pages nothing is lost.
            madvise(block.baseAddress, count / hugePageSize * hugePageSize, MADV_HUGEPAGE)
        }
        return block
    }

    deinit {
        PixelMemory.shared.give(block)
    }

    private static let hugePageSize = 2 << 20

    /// From here on alignment to a huge page wastes little.
    private static let largeByteCount = 4 * hugePageSize
}
