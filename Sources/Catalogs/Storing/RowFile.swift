import CZstd
import Glibc
import Transfers

/// A file without a name for the rows of a catalog, which is gone with this. What is in it is compressed: names of columns stand in
/// each row, and addresses have much in common. And it has checksums.
///
/// For one thread at a time.
final class RowFile {
    let descriptor: Int32
    private let packing: OpaquePointer
    private let unpacking: OpaquePointer
    /// Has what is compressed at its beginning.
    private var room = UnsafeMutableRawBufferPointer(start: nil, count: 0)

    /// One of zstd's fast levels, with which the file takes about as much processor time as it would without.
    private static let level: Int32 = -3

    /// - Throws: That there can be no file, with the folder and why, or no memory.
    convenience init(in folder: String) throws(CatalogError) {
        let descriptor = UnnamedFile.make(in: folder)
        if descriptor < 0 { throw .notStored(folder: folder, reason: SystemError.text(errno)) }
        try self.init(adopting: descriptor)
    }

    /// - Parameter descriptor: A file to be read and written, which is closed with this.
    init(adopting descriptor: Int32) throws(CatalogError) {
        let (packing, unpacking) = (ZSTD_createCCtx(), ZSTD_createDCtx())
        guard let packing, let unpacking else {
            ZSTD_freeCCtx(packing)
            ZSTD_freeDCtx(unpacking)
            close(descriptor)
            throw .outOfMemory
        }
        (self.descriptor, self.packing, self.unpacking) = (descriptor, packing, unpacking)
        ZSTD_CCtx_setParameter(packing, ZSTD_c_compressionLevel, Self.level)
        ZSTD_CCtx_setParameter(packing, ZSTD_c_checksumFlag, 1)
    }

    deinit {
        close(descriptor)
        ZSTD_freeCCtx(packing)
        ZSTD_freeDCtx(unpacking)
        free(room.baseAddress)
    }

    /// Writes bytes at an offset.
    ///
    /// - Returns: How many they are in the file, or the system's number for why they cannot be written.
    func write(_ bytes: [UInt8], at offset: Int) -> Result<Int, StorageFailure> {
        guard reserve(ZSTD_compressBound(bytes.count)) else { return .failure(StorageFailure(code: ENOMEM)) }
        defer { giveBack() }
        let count = bytes.withUnsafeBytes { bytes in
            ZSTD_compress2(packing, room.baseAddress, room.count, bytes.baseAddress, bytes.count)
        }
        guard ZSTD_isError(count) == 0 else { return .failure(StorageFailure(code: ENOMEM)) }
        let packed = UnsafeRawBufferPointer(rebasing: room[..<count])
        let problem = UnnamedFile.write(packed, to: descriptor, at: offset)
        return problem.map { .failure(StorageFailure(code: $0)) } ?? .success(count)
    }

    /// Fills some room with what was written at an offset.
    ///
    /// - Parameter count: How many bytes it has in the file.
    /// - Returns: Whether it could be read, is as it was written, and fills all of the room.
    func read(_ count: Int, at offset: Int, into target: UnsafeMutableRawBufferPointer) -> Bool {
        guard reserve(count) else { return false }
        defer { giveBack() }
        let packed = UnsafeMutableRawBufferPointer(rebasing: room[..<count])
        guard UnnamedFile.read(packed, from: descriptor, at: offset) == nil else { return false }
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

/// The system's number for why rows cannot be kept in a file.
struct StorageFailure: Error {
    let code: Int32
}
