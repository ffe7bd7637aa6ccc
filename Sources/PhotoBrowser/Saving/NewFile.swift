import CGLib
import Foundation
import Glibc
import Transfers

/// A file that gets its name when it is whole and on the disk. Until then it has another one in the same folder.
///
/// A file that has the name by then is replaced only by ``write(_:to:whereTaken:ways:)`` with ``TakenName/replace``, whoever has made
/// it, and however late.
final class NewFile {
    /// How a file gets a name that no other file has. Each is one step for all programs that look at the folder.
    enum Way: CaseIterable {
        /// Linux renames it unless there is a file; not on all network file systems.
        case rename
        /// It gets a second name; not on FAT.
        case link
        /// An empty file takes the name, and is replaced by it.
        case claim
    }

    private let descriptor: Int32
    private let path: String
    private var hasName = false

    /// Writes a file.
    ///
    /// - Parameters:
    ///   - path: Its path.
    ///   - whereTaken: What becomes of it where another file has that path.
    ///   - ways: How it may get its name; the first that the file system has. Default: all.
    /// - Returns: The path that it has; another one only with ``TakenName/number``.
    /// - Throws: `EEXIST` for ``TakenName/refuse``; otherwise why it cannot be written.
    static func write(
        _ data: Data, to path: String, whereTaken: TakenName, ways: [Way] = Way.allCases
    ) throws(POSIXError) -> String {
        if whereTaken == .replace {
            // Behind links, as others who have the file there see it so.
            let place = target(of: path)
            let file = try NewFile(beside: place)
            try file.write(data)
            file.keepPermissions(of: place)
            try file.replace(place)
            return path
        }
        let file = try NewFile(beside: path)
        try file.write(data)
        var (place, names) = (path, NumberedName(after: path))
        while try !file.take(place, ways) {
            guard whereTaken == .number else { throw POSIXError(.EEXIST) }
            place = names.next()
        }
        return place
    }

    private init(beside path: String) throws(POSIXError) {
        let folder = path.lastSlash.map { path[..<$0] + "/" } ?? ""
        while true {
            let name = folder + ".classicphotos-" + String(UInt64.random(in: 0...UInt64.max), radix: 36) + ".part"
            let descriptor = open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
            if descriptor >= 0 {
                (self.path, self.descriptor) = (name, descriptor)
                return
            }
            guard errno == EEXIST || errno == EINTR else { throw .last }
        }
    }

    deinit {
        if !hasName { unlink(path) }
        close(descriptor)
    }

    private func write(_ data: Data) throws(POSIXError) {
        var rest = data[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            guard count >= 0 || errno == EINTR else { throw .last }
            rest = rest.dropFirst(max(0, count))
        }
        while fsync(descriptor) != 0 {
            // Some file systems have nothing to sync.
            if errno == EINVAL { return }
            guard errno == EINTR else { throw .last }
        }
    }

    /// What a path leads to; the same path where there is nothing.
    private static func target(of path: String) -> String {
        guard let place = realpath(path, nil) else { return path }
        defer { free(place) }
        return String(cString: place)
    }

    /// A private file stays private, where the file system knows of permissions.
    private func keepPermissions(of place: String) {
        var status = stat()
        if stat(place, &status) == 0 { fchmod(descriptor, status.st_mode & 0o777) }
    }

    private func replace(_ place: String) throws(POSIXError) {
        guard rename(path, place) == 0 else { throw .last }
        hasName = true
    }

    /// Takes a name, unless another file has it.
    ///
    /// - Returns: Whether it has the name.
    private func take(_ place: String, _ ways: [Way]) throws(POSIXError) -> Bool {
        var problem = POSIXError(.EOPNOTSUPP)
        for way in ways {
            do throws(POSIXError) {
                switch way {
                case .rename:
                    guard cglib_rename_new(path, place) == 0 else { throw .last }
                    hasName = true
                case .link: try link(place)
                case .claim: try claim(place)
                }
                return true
            } catch {
                switch error.code {
                case .EEXIST: return false
                // What file systems say that do not have this way; where nothing helps, the last way says why.
                case .EINVAL, .ENOSYS, .EOPNOTSUPP, .EPERM, .EMLINK: problem = error
                default: throw error
                }
            }
        }
        throw problem
    }

    private func link(_ place: String) throws(POSIXError) {
        guard Glibc.link(path, place) == 0 || isFile(descriptor, at: place) else { throw .last }
        // The answer of a server was lost where the link is there and was refused all the same.
        unlink(path)
        hasName = true
    }

    private func claim(_ place: String) throws(POSIXError) {
        let claim = open(place, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
        guard claim >= 0 else { throw .last }
        defer { close(claim) }
        // Another program may have written to it, or have put another file in its place.
        guard isFile(claim, at: place, isEmpty: true) else { throw POSIXError(.EEXIST) }
        do throws(POSIXError) { try replace(place) } catch {
            if isFile(claim, at: place, isEmpty: true) { unlink(place) }
            throw error
        }
    }

    /// Whether an open file has a path, and nobody has written to it.
    private func isFile(_ descriptor: Int32, at place: String, isEmpty: Bool = false) -> Bool {
        let problem = errno
        defer { errno = problem }
        var (own, there) = (stat(), stat())
        guard fstat(descriptor, &own) == 0, lstat(place, &there) == 0 else { return false }
        return own.st_dev == there.st_dev && own.st_ino == there.st_ino && (!isEmpty || there.st_size == 0)
    }
}

extension POSIXError {
    /// What the last call of the system has said.
    fileprivate static var last: POSIXError { POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
}
