import FoundationEssentials
import Glibc

/// A system call that failed, in words.
struct FileError: Error {
    let code: Int32

    /// What is not a file, such as a device, is not replaced by one.
    static let notReplaceable = FileError(code: EEXIST)

    /// What runs remember is not replaced. No file system has this code.
    static let ofRun = FileError(code: ENOTUNIQ)

    /// Another user's file gets no further name. No file system has this code.
    static let ofOtherUser = FileError(code: ENOANO)

    /// A file cannot have a second name in a folder. No file system has this code.
    static let noHardLinks = FileError(code: EBADSLT)

    /// There are fewer bytes than there were.
    static let cutShort = FileError(code: ENODATA)

    /// Whether it says that there is no such file, and not that nobody knows.
    var isAbsence: Bool { code == ENOENT || code == ENOTDIR }

    /// The failure of the call made last on this thread.
    static var last: FileError { FileError(code: errno) }

    /// Whether all file descriptors are in use.
    var isLackOfDescriptors: Bool { code == EMFILE || code == ENFILE }

    /// Writes all of some bytes to a descriptor.
    static func writeAll(_ bytes: some ContiguousBytes, to descriptor: Int32) throws(FileError) {
        let failure = bytes.withUnsafeBytes { bytes -> FileError? in
            var rest = bytes[...]
            while !rest.isEmpty {
                let count = Glibc.write(descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
                if count >= 0 {
                    rest = rest.dropFirst(count)
                } else if errno == EAGAIN {
                    // Somebody who shares it, as with a pipe, wants no waiting.
                    var place = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                    poll(&place, 1, -1)
                } else if errno != EINTR {
                    return .last
                }
            }
            return nil
        }
        if let failure { throw failure }
    }

    /// The reason, to be put behind a colon.
    var reason: String {
        switch code {
        case EEXIST: "it is a device, a pipe or a socket"
        case ENOTUNIQ: "that is a file of the run itself"
        case ENOANO: "the shards are another user's (fs.protected_hardlinks): let that user merge, or get write access"
        case EBADSLT: "its file system has no hard links, which plans need"
        case EPIPE: "nobody reads it any more"
        case ENODATA: "somebody has cut it short"
        case ENOSPC: "the disk is full"
        case EDQUOT: "the disk quota is used up"
        default: Self.text(of: code)
        }
    }

    private static func text(of code: Int32) -> String {
        var text = [CChar](repeating: 0, count: 256)
        _ = strerror_r(code, &text, text.count)
        return String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self).lowercased()
    }
}
