import FoundationEssentials
import Glibc

extension Catalog {
    /// Reads a catalog from a file, a named pipe, or a folder of pictures. Blocks until all is read, so call it off
    /// the main thread; any other thread will do.
    ///
    /// - Parameters:
    ///   - path: The path, from the current directory if it is relative.
    ///   - limits: What it may cost.
    ///   - keys: What address and name are called in it.
    ///   - includesSubfolders: Whether the folders in a folder are looked through too. Hidden ones, those behind links, and those
    ///     that may not be read are left out. Default: they are not.
    /// - Throws: ``CatalogError``.
    public static func load(
        contentsOf path: String, limits: CatalogLimits = CatalogLimits(), keys: CatalogKeys = CatalogKeys(),
        includingSubfolders includesSubfolders: Bool = false
    ) throws(CatalogError) -> Catalog {
        let place = absolute(path)
        var status = stat()
        guard stat(path, &status) == 0 else { throw openingError(path, errno) }
        switch status.st_mode & S_IFMT {
        case S_IFDIR: return try FolderReader(path: place, includesSubfolders: includesSubfolders).read()
        case S_IFREG, S_IFIFO: break
        default: throw .isDevice(path: path)
        }
        var descriptor: Int32
        repeat { descriptor = open(path, O_RDONLY | O_CLOEXEC) } while descriptor < 0 && errno == EINTR
        guard descriptor >= 0 else { throw openingError(path, errno) }
        defer { close(descriptor) }
        let source = try CatalogSource.reading(descriptor, path: path, limit: limits.maximumBytes)
        return try read(source, origin: .file(path: place), limits: limits, keys: keys)
    }

    /// Reads a catalog from a descriptor to its end, standard input's by default; relative addresses are paths from
    /// the current directory. Blocks until the writer is done, so call it off the main thread.
    ///
    /// - Parameters:
    ///   - descriptor: An open descriptor, which stays open; 0 is standard input.
    ///   - directory: What relative paths begin at. Default: the current directory.
    ///   - limits: What it may cost.
    ///   - keys: What address and name are called in it.
    /// - Throws: ``CatalogError``.
    public static func load(
        standardInput descriptor: Int32 = 0, currentDirectory directory: String? = nil,
        limits: CatalogLimits = CatalogLimits(), keys: CatalogKeys = CatalogKeys()
    ) throws(CatalogError) -> Catalog {
        let source = try CatalogSource.reading(descriptor, path: "standard input", limit: limits.maximumBytes)
        return try read(
            source, origin: .standardInput(currentDirectory: directory ?? currentDirectory()), limits: limits,
            keys: keys)
    }

    static func openingError(_ path: String, _ code: Int32) -> CatalogError {
        switch code {
        case ENOENT, ENOTDIR: .notFound(path: path)
        case ENXIO: .isDevice(path: path)
        default: .cannotRead(path: path, reason: SystemError.text(code))
        }
    }

    /// A path that stays the same when the current directory changes; links are not followed.
    static func absolute(_ path: String) -> String {
        if path.hasPrefix("/") { return path }
        let directory = currentDirectory()
        return directory.hasSuffix("/") ? directory + path : "\(directory)/\(path)"
    }

    private static func currentDirectory() -> String { FileManager.default.currentDirectoryPath }
}
