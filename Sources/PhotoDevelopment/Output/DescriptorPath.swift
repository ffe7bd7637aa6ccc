import Glibc
import Transfers

/// A path that names an open file by its descriptor, as `/dev/stdout` and `/dev/fd/3` do. The file that it leads to may have a name
/// too, and would be replaced under the hands of those who write to it.
struct DescriptorPath {
    /// The descriptor in this process; nil where it is another one's.
    private let descriptor: Int32?

    init?(_ path: String) {
        var place = path
        // As many links as Linux follows.
        for _ in 0..<40 {
            let slash = place.lastSlash
            let folder = TemporaryFile.resolved(slash.map { place[..<$0] + "/" }.map(String.init) ?? ".")
            if folder.hasPrefix("/proc/") {
                let name = slash.map { place[place.utf8.index(after: $0)...] } ?? place[...]
                descriptor = folder == "/proc/\(getpid())/fd" ? Int32(name) : nil
                return
            }
            guard let target = Self.readLink(place) else { return nil }
            place = target.hasPrefix("/") ? target : "\(folder)/\(target)"
        }
        return nil
    }

    /// The descriptor, if whoever started this program has opened it, for writing; nil for one of another process.
    ///
    /// - Throws: That it is closed, only read from, or of this program's own making.
    func inherited() throws(FileError) -> Int32? {
        guard let descriptor else { return nil }
        let flags = fcntl(descriptor, F_GETFL)
        guard flags >= 0, flags & O_ACCMODE != O_RDONLY else { throw FileError(code: EBADF) }
        // What this program opens is closed in those that it starts, as what it was started with was not.
        guard fcntl(descriptor, F_GETFD) & FD_CLOEXEC == 0 else { throw .notReplaceable }
        return descriptor
    }

    private static func readLink(_ path: String) -> String? {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(PATH_MAX)) { bytes in
            let count = readlink(path, bytes.baseAddress!, bytes.count)
            guard count >= 0 else { return nil }
            return String(decoding: bytes[..<count].map(UInt8.init(bitPattern:)), as: UTF8.self)
        }
    }
}
