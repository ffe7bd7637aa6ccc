import Glibc

/// Finds the pictures of a folder: its regular files (also through links) that are not hidden and whose ending is a
/// picture's.
struct FolderReader {
    let path: String
    /// Whether folders inside are looked through too; hidden ones, those behind links, which may lead in a circle, and
    /// those that may not be read are left out.
    var includesSubfolders = false

    private static let endings: Set<String> = [
        "jpg", "jpeg", "jpe", "jfif", "mpo", "png", "apng", "webp", "gif", "tif", "tiff", "heic", "heics", "heif",
        "heifs", "hif", "avif", "avifs", "jxl", "svg",
    ]

    /// Whether a file's name ends as that of a picture does.
    static func isImage(_ name: some BidirectionalCollection<UInt8>) -> Bool {
        guard name.first != UInt8(ascii: "."), let dot = name.lastIndex(of: UInt8(ascii: ".")) else { return false }
        return endings.contains(String(decoding: name[name.index(after: dot)...], as: UTF8.self).lowercased())
    }

    /// The pictures as a catalog, sorted as a person would.
    func read() throws(CatalogError) -> Catalog {
        let builder = CatalogBuilder(ofFiles: CatalogLimits())
        try forEachImage { builder.add(file: $0) }
        return try builder.finish(
            origin: .folder(path: path, includesSubfolders: includesSubfolders), format: .folder,
            shape: .lines(columns: 1))
    }

    /// Calls a closure with the path of each picture from the folder, in the order in which the system has them.
    func forEachImage(_ body: (UnsafeBufferPointer<UInt8>) -> Void) throws(CatalogError) {
        // Paths from the folder, each with a slash at its end.
        var inner: [[UInt8]] = []
        try list([], body) { inner.append($0) }
        while let next = inner.popLast() { try? list(next, body) { inner.append($0) } }
    }

    private func list(
        _ folder: [UInt8], _ body: (UnsafeBufferPointer<UInt8>) -> Void, _ foundFolder: ([UInt8]) -> Void
    ) throws(CatalogError) {
        let whole = (Array(path.utf8) + [UInt8(ascii: "/")] + folder + [0]).map { CChar(bitPattern: $0) }
        guard let directory = opendir(whole) else { throw failure(errno) }
        defer { closedir(directory) }
        while true {
            errno = 0
            guard let entry = readdir(directory) else {
                guard errno == 0 else { throw failure(errno) }
                break
            }
            // Not through a copy of the whole entry: the system makes it only as long as its name.
            let field = MemoryLayout<dirent>.offset(of: \.d_name) ?? 0
            let name = (UnsafeRawPointer(entry) + field).assumingMemoryBound(to: UInt8.self)
            let bytes = UnsafeBufferPointer(start: name, count: strlen(UnsafePointer<CChar>(OpaquePointer(name))))
            guard bytes.first != UInt8(ascii: ".") else { continue }
            if FolderReader.isImage(bytes), kind(of: name, in: directory, throughLinks: true) == S_IFREG {
                (folder + bytes).withUnsafeBufferPointer(body)
            } else if includesSubfolders, kind(of: name, in: directory, throughLinks: false) == S_IFDIR {
                foundFolder(folder + bytes + [UInt8(ascii: "/")])
            }
        }
    }

    private func kind(of name: UnsafePointer<UInt8>, in directory: OpaquePointer, throughLinks: Bool) -> mode_t? {
        var status = stat()
        let flags = throughLinks ? 0 : AT_SYMLINK_NOFOLLOW
        let found = fstatat(dirfd(directory), UnsafePointer<CChar>(OpaquePointer(name)), &status, flags) == 0
        return found ? status.st_mode & S_IFMT : nil
    }

    private func failure(_ code: Int32) -> CatalogError {
        .cannotRead(path: path, reason: SystemError.text(code))
    }
}

extension CatalogBuilder {
    /// A builder for paths of files, which stand in no text.
    convenience init(ofFiles limits: CatalogLimits) {
        let source = CatalogSource(borrowing: UnsafeBufferPointer(start: nil, count: 0))
        self.init(source: source, start: 0, hasLines: false, limits: limits)
    }

    /// Adds a file by its path from the catalog's folder, which is its name too.
    func add(file path: UnsafeBufferPointer<UInt8>) {
        let start = arena.count
        arena.append(path)
        let range = arena.range(from: start)
        add(name: range, address: range, start: 0, nameOffset: 0, addressOffset: 0)
    }
}
