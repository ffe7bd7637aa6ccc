/// The memory of a pixel buffer.
///
/// The bytes are written only before the storage is shared (while it is being made) or through `PixelBuffer`'s
/// mutating functions, which first make sure that it has a single owner. That is what makes `@unchecked
/// Sendable` true.
final class PixelStorage: @unchecked Sendable {
    let bytes: UnsafeMutableRawBufferPointer

    /// Memory that has not been written yet, aligned to a cache line.
    init(uninitializedByteCount count: Int) {
        bytes = .allocate(byteCount: count, alignment: 64)
    }

    deinit {
        bytes.deallocate()
    }
}
