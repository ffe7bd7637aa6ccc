import Foundation
import Glibc

/// A folder whose catalogs and JPEG files can be asked for, and nothing else.
struct ServedFolder: Sendable {
    /// A file that is there.
    struct File {
        let content: Data
        let mediaType: String
        /// Changes with the content.
        let entityTag: String
    }

    private static let mediaTypes = ["csv": "text/csv; charset=utf-8", "jpg": "image/jpeg"]
    /// The folder, without links in its path, and with a slash at its end.
    private let root: String

    /// - Returns: nil where there is no such folder.
    init?(_ path: String) {
        guard let root = Self.realPath(path) else { return nil }
        self.root = root.hasSuffix("/") ? root : root + "/"
    }

    /// The file at a path of an address; nil where there is none that may be had.
    ///
    /// - Parameter path: It begins with a slash, and percent signs in it stand for themselves.
    func file(at path: String) -> File? {
        guard path.hasPrefix("/") else { return nil }
        let parts = path.dropFirst().split(separator: "/", omittingEmptySubsequences: false)
        let isPlain = parts.allSatisfy { !$0.isEmpty && !$0.hasPrefix(".") && !$0.utf8.contains(0) }
        guard isPlain, let name = parts.last, let dot = name.lastIndex(of: "."),
            let mediaType = Self.mediaTypes[String(name[name.index(after: dot)...])],
            // A link may lead anywhere; what it leads to has to be in the folder, too.
            let whole = Self.realPath(root + path.dropFirst()), whole.hasPrefix(root)
        else { return nil }
        var status = stat()
        guard stat(whole, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
            let content = FileManager.default.contents(atPath: whole)
        else { return nil }
        let changed = status.st_mtim
        let tag = "\"\(content.count)-\(changed.tv_sec)-\(changed.tv_nsec)\""
        return File(content: content, mediaType: mediaType, entityTag: tag)
    }

    private static func realPath(_ path: String) -> String? {
        guard let real = realpath(path, nil) else { return nil }
        defer { free(real) }
        return String(cString: real)
    }
}
