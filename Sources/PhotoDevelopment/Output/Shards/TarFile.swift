import CArchive
import FoundationEssentials
import Glibc
import Transfers

/// A tar file that members are appended to, by libarchive; for one thread.
///
/// It begins at an offset at which members end: what lies behind is cut off first. At the end of each batch the file is a whole
/// archive, which any reader takes.
final class TarFile {
    /// The two blocks of zeros that an archive ends with.
    static let endLength = 1_024

    private let descriptor: Int32
    private let archive: OpaquePointer
    private let entry: OpaquePointer
    private let beginning: Int

    /// Opens or makes a file.
    ///
    /// - Parameters:
    ///   - path: The file's path.
    ///   - offset: Where members end in it; 0 for a file that begins anew.
    init(path: String, at offset: Int) throws(FileError) {
        beginning = offset
        descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o666)
        guard descriptor >= 0 else { throw .last }
        guard let archive = archive_write_new(), let entry = archive_entry_new() else {
            close(descriptor)
            throw FileError(code: ENOMEM)
        }
        self.archive = archive
        self.entry = entry
        // From here on deinit closes it, also where this throws.
        try check(archive_write_set_format_ustar(archive))
        try check(archive_write_add_filter_none(archive))
        // Each piece goes on as it comes, so that the descriptor's offset is the archive's.
        try check(archive_write_set_bytes_per_block(archive, 0))
        try check(archive_write_set_bytes_in_last_block(archive, 1))
        try check(archive_write_open_fd(archive, descriptor))
        // Last, as what fails before leaves the file a whole archive.
        guard let status = FileStatus(descriptor: descriptor) else { throw .last }
        guard offset <= status.size else { throw .cutShort }
        guard ftruncate(descriptor, off_t(offset)) == 0, lseek(descriptor, off_t(offset), SEEK_SET) == off_t(offset)
        else { throw .last }
    }

    deinit {
        archive_entry_free(entry)
        // Where it was not finished, nothing more is to be written.
        archive_write_fail(archive)
        archive_write_free(archive)
        close(descriptor)
    }

    /// Where the next member begins.
    var end: Int { Int(lseek(descriptor, 0, SEEK_CUR)) }

    /// Appends a member.
    ///
    /// - Parameters:
    ///   - name: Its name, of ASCII.
    ///   - bytes: What it holds.
    /// - Returns: Where its bytes begin in the file.
    func append(_ name: String, _ bytes: Data) throws(FileError) -> Int {
        archive_entry_clear(entry)
        archive_entry_set_pathname(entry, name)
        archive_entry_set_size(entry, la_int64_t(bytes.count))
        archive_entry_set_filetype(entry, S_IFREG)
        archive_entry_set_perm(entry, 0o644)
        // The same pictures make the same archive, whenever they are made.
        archive_entry_set_mtime(entry, 0, 0)
        try check(archive_write_header(archive, entry))
        let start = end
        let written = bytes.withUnsafeBytes { archive_write_data(archive, $0.baseAddress, $0.count) }
        guard written == bytes.count else { throw failure }
        try check(archive_write_finish_entry(archive))
        return start
    }

    /// Appends members, ends the archive, and waits until its bytes are on the disk. Where that fails, what was appended is taken
    /// back, as far as the system lets it; the next one who opens the file does so in any case.
    ///
    /// - Returns: Where the members end, which is where the next ones are appended.
    func appending(_ members: () throws(FileError) -> Void = {}) throws(FileError) -> Int {
        do throws(FileError) {
            try members()
            let end = end
            try check(archive_write_close(archive))
            guard fdatasync(descriptor) == 0 || errno == EINVAL else { throw .last }
            return end
        } catch {
            takeBack()
            throw error
        }
    }

    private func takeBack() {
        guard ftruncate(descriptor, off_t(beginning)) == 0, lseek(descriptor, off_t(beginning), SEEK_SET) >= 0 else {
            return
        }
        try? FileError.writeAll([UInt8](repeating: 0, count: Self.endLength), to: descriptor)
    }

    /// Some bytes of a file.
    static func bytes(of path: String, from start: Int, count: Int) throws(FileError) -> Data {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .last }
        defer { close(descriptor) }
        guard let status = FileStatus(descriptor: descriptor) else { throw .last }
        // Asked before, as the numbers may be those of a damaged journal.
        guard start >= 0, count >= 0, start <= status.size - count else { throw .cutShort }
        var bytes = [UInt8](repeating: 0, count: count)
        var filled = 0
        while filled < count {
            let got = bytes[filled...].withUnsafeMutableBytes {
                pread(descriptor, $0.baseAddress, $0.count, off_t(start + filled))
            }
            if got > 0 { filled += got } else if got == 0 { throw .cutShort } else if errno != EINTR { throw .last }
        }
        return Data(bytes)
    }

    private func check(_ status: Int32) throws(FileError) {
        guard status == ARCHIVE_OK else { throw failure }
    }

    private var failure: FileError {
        let code = archive_errno(archive)
        return FileError(code: code > 0 ? code : EIO)
    }
}
