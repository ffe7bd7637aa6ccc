import CZstd
import Glibc

/// Packs pieces of a catalog for its file, and unpacks them.
///
/// The names of columns stand in each row, and addresses have much in common. So the file takes a part of what the rows do, and
/// what is read from it has a checksum.
///
/// It is used by one thread at a time, which is its owner's to see to and makes `@unchecked Sendable` true.
final class PiecePacking: @unchecked Sendable {
    private let packing: OpaquePointer
    private let unpacking: OpaquePointer
    /// Has what is packed at its beginning.
    private var room = UnsafeMutableRawBufferPointer(start: nil, count: 0)

    /// The fastest levels take a third of the time of the lowest ordinary one.
    private static let level: Int32 = -3

    /// Nil where there is no memory.
    init?() {
        guard let packing = ZSTD_createCCtx() else { return nil }
        guard let unpacking = ZSTD_createDCtx() else {
            ZSTD_freeCCtx(packing)
            return nil
        }
        (self.packing, self.unpacking) = (packing, unpacking)
        ZSTD_CCtx_setParameter(packing, ZSTD_c_compressionLevel, Self.level)
        ZSTD_CCtx_setParameter(packing, ZSTD_c_checksumFlag, 1)
    }

    deinit {
        ZSTD_freeCCtx(packing)
        ZSTD_freeDCtx(unpacking)
        free(room.baseAddress)
    }

    /// Packs bytes.
    ///
    /// - Parameter use: Called with what they become.
    /// - Returns: What `use` returns; nil where there is no memory.
    func pack<Result>(
        _ bytes: UnsafeRawBufferPointer, _ use: (UnsafeRawBufferPointer) -> Result
    ) -> Result? {
        guard reserve(ZSTD_compressBound(bytes.count)) else { return nil }
        defer { giveBack() }
        let count = ZSTD_compress2(packing, room.baseAddress, room.count, bytes.baseAddress, bytes.count)
        guard ZSTD_isError(count) == 0 else { return nil }
        return use(UnsafeRawBufferPointer(rebasing: room[..<count]))
    }

    /// Unpacks what fills some room.
    ///
    /// - Parameters:
    ///   - count: How many bytes it has as it is packed.
    ///   - fill: Reads them.
    /// - Returns: Whether it could be read, is as it was packed, and fills all of the room.
    func unpack(
        _ count: Int, into target: UnsafeMutableRawBufferPointer, readBy fill: (UnsafeMutableRawBufferPointer) -> Bool
    ) -> Bool {
        defer { giveBack() }
        guard reserve(count), fill(UnsafeMutableRawBufferPointer(rebasing: room[..<count])) else { return false }
        return ZSTD_decompressDCtx(unpacking, target.baseAddress, target.count, room.baseAddress, count) == target.count
    }

    private func reserve(_ count: Int) -> Bool {
        if count <= room.count { return true }
        guard let memory = realloc(room.baseAddress, count) else { return false }
        room = UnsafeMutableRawBufferPointer(start: memory, count: count)
        return true
    }

    /// Keeps no more than most pieces need.
    private func giveBack() {
        guard room.count > 4 * StoredRows.pieceSize else { return }
        free(room.baseAddress)
        room = UnsafeMutableRawBufferPointer(start: nil, count: 0)
    }
}
