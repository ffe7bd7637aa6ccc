import Glibc

/// Reads a catalog from the pictures of a folder: its regular files (also through links) that are not hidden and whose
/// ending is a picture's, sorted as a person would. Folders inside are left alone, as a list of files shows them: what
/// belongs to another album is not asked for.
struct FolderReader {
    let path: String

    private static let endings: Set<String> = [
        "jpg", "jpeg", "jpe", "jfif", "png", "webp", "gif", "tif", "tiff", "heic", "heif", "hif", "avif", "jxl", "svg",
    ]

    func read() throws(CatalogError) -> Catalog {
        guard let folder = opendir(path) else { throw failure(errno) }
        defer { closedir(folder) }
        let source = CatalogSource(borrowing: UnsafeBufferPointer(start: nil, count: 0))
        let builder = CatalogBuilder(source: source, start: 0, hasLines: false, limits: CatalogLimits())
        while true {
            errno = 0
            guard let entry = readdir(folder) else {
                guard errno == 0 else { throw failure(errno) }
                break
            }
            // Not through a copy of the whole entry: the system makes it only as long as its name.
            let field = MemoryLayout<dirent>.offset(of: \.d_name) ?? 0
            let name = (UnsafeRawPointer(entry) + field).assumingMemoryBound(to: UInt8.self)
            let bytes = UnsafeBufferPointer(start: name, count: strlen(UnsafePointer<CChar>(OpaquePointer(name))))
            if isPicture(bytes), isRegularFile(name, in: dirfd(folder)) { add(bytes, to: builder) }
        }
        return builder.finish(origin: .folder(path: path), format: .folder, shape: .lines(columns: 1))
    }

    private func add(_ name: UnsafeBufferPointer<UInt8>, to builder: CatalogBuilder) {
        let start = builder.arena.count
        builder.arena.append(name)
        let range = builder.arena.range(from: start)
        builder.add(name: range, address: range, start: 0, nameOffset: 0, addressOffset: 0)
    }

    private func isPicture(_ name: UnsafeBufferPointer<UInt8>) -> Bool {
        guard name.first != UInt8(ascii: "."), let dot = name.lastIndex(of: UInt8(ascii: ".")) else { return false }
        return FolderReader.endings.contains(String(decoding: name[(dot + 1)...], as: UTF8.self).lowercased())
    }

    private func isRegularFile(_ name: UnsafePointer<UInt8>, in folder: Int32) -> Bool {
        var status = stat()
        let found = fstatat(folder, UnsafePointer<CChar>(OpaquePointer(name)), &status, 0) == 0
        return found && status.st_mode & S_IFMT == S_IFREG
    }

    private func failure(_ code: Int32) -> CatalogError {
        .cannotRead(path: path, reason: SystemError.text(code))
    }
}
