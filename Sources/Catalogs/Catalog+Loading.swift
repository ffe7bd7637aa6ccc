import FoundationEssentials
import Glibc
import Transfers

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
    ///   - storage: Where the rows are while the catalog is in use. Default: in memory.
    /// - Throws: ``CatalogError``.
    public static func load(
        contentsOf path: String, limits: CatalogLimits = CatalogLimits(), keys: CatalogKeys = CatalogKeys(),
        includingSubfolders includesSubfolders: Bool = false, keepingRowsIn storage: RowStorage = .memory
    ) throws(CatalogError) -> Catalog {
        guard let descriptor = try openFile(path) else {
            return try FolderReader(path: absolute(path), includesSubfolders: includesSubfolders).read()
        }
        defer { close(descriptor) }
        let origin = origin(of: descriptor, path)
        return try load(descriptor, path: path, origin: origin, limits: limits, keys: keys, keepingRowsIn: storage)
    }

    /// Reads a catalog from a descriptor to its end, standard input's by default; relative addresses are paths from
    /// the current directory. Blocks until the writer is done, so call it off the main thread.
    ///
    /// - Parameters:
    ///   - descriptor: An open descriptor, which stays open; 0 is standard input.
    ///   - directory: What relative paths begin at. Default: the current directory.
    ///   - limits: What it may cost.
    ///   - keys: What address and name are called in it.
    ///   - storage: Where the rows are while the catalog is in use. Default: in memory.
    /// - Throws: ``CatalogError``.
    public static func load(
        standardInput descriptor: Int32 = 0, currentDirectory directory: String? = nil,
        limits: CatalogLimits = CatalogLimits(), keys: CatalogKeys = CatalogKeys(),
        keepingRowsIn storage: RowStorage = .memory
    ) throws(CatalogError) -> Catalog {
        let origin = directory.map { Origin.standardInput(currentDirectory: $0) } ?? .standardInput()
        return try load(
            descriptor, path: "standard input", origin: origin, limits: limits, keys: keys, keepingRowsIn: storage)
    }

    private static func load(
        _ descriptor: Int32, path: String, origin: Origin, limits: CatalogLimits, keys: CatalogKeys,
        keepingRowsIn storage: RowStorage
    ) throws(CatalogError) -> Catalog {
        switch storage {
        case .memory:
            let source = try CatalogSource.reading(descriptor, path: path, limit: limits.maximumBytes)
            return try read(source, origin: origin, limits: limits, keys: keys)
        case .temporaryFile:
            let start = lseek(descriptor, 0, SEEK_CUR)
            do throws(CatalogError) {
                return try stored(UnpackingReader(descriptor, path: path), origin: origin, limits: limits, keys: keys)
            } catch {
                // Memory may do; what cannot be read twice is lost.
                guard case .notStored = error, start >= 0, lseek(descriptor, start, SEEK_SET) == start,
                    let source = try? CatalogSource.reading(descriptor, path: path, limit: limits.maximumBytes)
                else { throw error }
                return try read(source, origin: origin, limits: limits, keys: keys)
            }
        }
    }

    /// Where an open file comes from. A pipe is in no folder, though its name is: that of `<(command)` is in `/dev/fd`.
    static func origin(of descriptor: Int32, _ path: String) -> Origin {
        FileStatus(descriptor: descriptor)?.kind == .file ? .file(path: absolute(path)) : .standardInput()
    }

    /// Opens the file of a catalog.
    ///
    /// - Returns: Its descriptor, which is the caller's to close; nil for a folder.
    /// - Throws: Also what is neither file, pipe nor folder.
    static func openFile(_ path: String) throws(CatalogError) -> Int32? {
        var status = stat()
        guard stat(path, &status) == 0 else { throw openingError(path, errno) }
        switch status.st_mode & S_IFMT {
        case S_IFDIR: return nil
        case S_IFREG, S_IFIFO: break
        default: throw .isDevice(path: path)
        }
        var descriptor: Int32
        repeat { descriptor = open(path, O_RDONLY | O_CLOEXEC) } while descriptor < 0 && errno == EINTR
        guard descriptor >= 0 else { throw openingError(path, errno) }
        return descriptor
    }

    static func openingError(_ path: String, _ code: Int32) -> CatalogError {
        switch code {
        // Swift has put that in the place of bytes that are no text.
        case ENOENT where path.unicodeScalars.contains("\u{FFFD}"): .nameNotUTF8(path: path)
        case ENOENT, ENOTDIR: .notFound(path: path)
        case ENXIO: .isDevice(path: path)
        default: .cannotRead(path: path, reason: SystemError.text(code))
        }
    }

    /// A path that stays the same when the current directory changes; links are not followed.
    static func absolute(_ path: String) -> String {
        if path.hasPrefix("/") { return path }
        let directory = FileManager.default.currentDirectoryPath
        return directory.hasSuffix("/") ? directory + path : "\(directory)/\(path)"
    }
}
