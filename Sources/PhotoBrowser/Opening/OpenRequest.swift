import FoundationEssentials
import Glibc
import ImageCodecs
import Operations
public import PhotoPipeline
public import Transfers

/// What somebody asks to see: a catalog, a folder, a picture, or several pictures and folders together.
public enum OpenRequest: Hashable, Sendable {
    /// A catalog, a folder with its subfolders, or a picture: one of this machine is shown among the others of its folder, one of the
    /// network alone.
    case one(Catalog.Source)
    /// Pictures and folders, by their paths.
    case several([String])
    /// A catalog on the standard input of another process.
    case passed(PassedInput)

    /// Understands what a program was started with, or what was dropped on it.
    ///
    /// - Parameter arguments: Paths and addresses; see ``/Catalogs/Catalog/Source/init(argument:)``.
    /// - Returns: nil where there are none, or several of which one is neither a file nor a folder of this machine.
    public init?(arguments: [String]) {
        let sources = arguments.map { Catalog.Source(argument: $0) }
        guard let first = sources.first else { return nil }
        if sources.count == 1 {
            self = .one(first)
            return
        }
        var paths: [String] = []
        for source in sources {
            guard case .path(let path) = source else { return nil }
            paths.append(path)
        }
        self = .several(paths)
    }

    /// Loads it, on a thread of the engine.
    ///
    /// - Parameters:
    ///   - client: The proxy and the like, for what comes over the network. Default: a client's defaults.
    ///   - meter: Is told how far the transfer is, where there is one. Default: none.
    /// - Throws: Why it cannot be had, such as `CatalogError.notTogether` where there are several files and none is a picture; where
    ///   the task is cancelled, a transfer ends at once.
    public func load(
        client: TransferClient.Configuration = TransferClient.Configuration(), meter: TransferMeter? = nil
    ) async throws(Catalog.LoadingError) -> OpenedPhotos {
        let paths: [String]
        switch self {
        case .passed(let input):
            return OpenedPhotos(catalog: try await Catalog.load(from: input), source: .standardInput)
        case .one(.path(let path)): paths = [path]
        case .one(.address(let address)):
            return try await Self.load(address, client, meter)
        case .one(let source):
            let catalog = try await Catalog.load(from: source, client: client, meter: meter)
            return OpenedPhotos(catalog: catalog, source: source)
        case .several(let several): paths = several
        }
        let queue = OperationQueue()
        queue.name = "Catalog queue"
        let result = await queue.outcome { () throws(CatalogError) in try Self.load(paths) }
        do {
            return try result.get()
        } catch {
            throw .notRead(error)
        }
    }

    private static func load(
        _ address: URL, _ client: TransferClient.Configuration, _ meter: TransferMeter?
    ) async throws(Catalog.LoadingError) -> OpenedPhotos {
        let source = Catalog.Source.address(address)
        do throws(Catalog.LoadingError) {
            return OpenedPhotos(
                catalog: try await Catalog.load(from: source, client: client, meter: meter), source: source)
        } catch {
            guard case .notRead(let fault) = error, fault.isOfPicture,
                // As if it stood in a list of this person's own.
                let catalog = try? Catalog(
                    parsing: Data(address.absoluteString.utf8), origin: .standardInput(currentDirectory: "/"))
            else { throw error }
            return OpenedPhotos(catalog: catalog, source: source, chosen: Photo.ID(0))
        }
    }

    private static func load(_ paths: [String]) throws(CatalogError) -> OpenedPhotos {
        guard paths.count == 1, let path = paths.first else {
            try checkForPictures(paths)
            return OpenedPhotos(catalog: try Catalog.load(images: paths))
        }
        var status = stat()
        let isThere = stat(path, &status) == 0
        if isThere, status.st_mode & S_IFMT == S_IFDIR {
            return OpenedPhotos(catalog: try Catalog.load(images: [path]), source: .path(path))
        }
        guard isThere, status.st_mode & S_IFMT == S_IFREG, isImage(path) else {
            return OpenedPhotos(catalog: try Catalog.load(contentsOf: path), source: .path(path))
        }
        let catalog = try neighbours(of: path)
        return OpenedPhotos(catalog: catalog, chosen: place(of: path, in: catalog))
    }

    /// Throws where there are several files and none of them is a picture: catalogs, most likely, which are opened one at a time.
    private static func checkForPictures(_ paths: [String]) throws(CatalogError) {
        var isAnythingThere = false
        for path in paths {
            var status = stat()
            guard stat(path, &status) == 0 else { continue }
            let kind = status.st_mode & S_IFMT
            if kind == S_IFDIR || kind == S_IFREG && isImage(path) { return }
            isAnythingThere = true
        }
        if isAnythingThere { throw .notTogether }
    }

    /// The pictures beside one, and itself, whatever its name.
    private static func neighbours(of path: String) throws(CatalogError) -> Catalog {
        let slash = path.lastSlash
        let folder = slash.map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
        let whole = slash == nil ? "./" + path : path
        do throws(CatalogError) {
            return try Catalog.load(images: [folder, whole], includingSubfolders: false)
        } catch {
            // A folder may be closed to those who may read a file in it.
            return try Catalog.load(images: [whole])
        }
    }

    private static func place(of path: String, in catalog: Catalog) -> Photo.ID? {
        let name = path.split(separator: "/").last.map(String.init) ?? path
        return catalog.first { $0.name == name }.map { Photo.ID($0.index) }
    }

    /// Whether a file is a picture, by its first bytes or, where these tell nothing, by its name.
    private static func isImage(_ path: String) -> Bool {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        // Who may not read it is told so by the photo's row.
        guard descriptor >= 0 else { return Catalog.isImage(named: path) }
        defer { close(descriptor) }
        let beginning = [UInt8](unsafeUninitializedCapacity: 4_096) { bytes, count in
            count = max(0, read(descriptor, bytes.baseAddress, bytes.count))
        }
        return ImageFormat(sniffing: Data(beginning)) != nil || Catalog.isImage(named: path)
    }
}
