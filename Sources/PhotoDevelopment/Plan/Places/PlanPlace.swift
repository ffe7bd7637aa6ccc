import FoundationEssentials
import Glibc
import Transfers

/// Where a plan or its output lies: a folder that machines share, or a place in an object store. Names in it are paths without a slash in
/// front.
///
/// What is done there is the same for both: a file is made once under a name of its own, and never changed; the one that a name belongs
/// to is decided by who makes it first.
protocol PlanPlace: Sendable {
    /// What people call it.
    var path: String { get }

    /// What it is called from any folder of this machine.
    var absolutePath: String { get }

    /// A place inside.
    func inner(_ name: String) -> any PlanPlace

    /// How many things are worth being asked for at once.
    var lanes: Int { get }

    // MARK: Names

    /// - Throws: Where that is not known.
    func has(_ name: String) throws(PlaceError) -> Bool

    /// The files in a folder of it, with their sizes where they cost nothing.
    func names(in folder: String) throws(PlaceError) -> [String]

    /// The folders directly in it.
    func folders() throws(PlaceError) -> [String]

    /// The files in a folder where it is quicker to ask for all of them than for each; nil where it is not.
    func listed(in folder: String) throws(PlaceError) -> Set<String>?

    /// The sizes of files in a folder; nil for those that are not there.
    func sizes(of names: [String], in folder: String) throws(PlaceError) -> [Int?]

    // MARK: Reading

    /// The first bytes of a file; nil where it is not there.
    func read(_ name: String, limit: Int) throws(PlaceError) -> Data?

    /// What a file is, of which every byte is read; nil where it is not there.
    func file(_ name: String) throws(PlaceError) -> ShardMarker.File?

    /// Whether two names are known to be of one file, so that reading one of them is enough.
    func areOneFile(_ name: String, _ other: String) -> Bool

    /// The same file on this machine; nil where it is not there.
    func local(_ name: String) throws(PlaceError) -> LocalFile?

    // MARK: Writing

    /// Makes folders in it, and itself.
    func prepare(_ folders: [String]) throws(PlaceError)

    /// Proves that of two files that are to get one name the second one is refused, as all else relies on that.
    func checkCreatesOnce() throws(PlaceError)

    /// Makes a file whose bytes are safe before it has its name.
    ///
    /// - Returns: Whether it was made; false where there is one of that name.
    /// - Throws: `notCreated` where it was not made; anything else where that is not known.
    func create(_ name: String, _ bytes: Data) throws(PlaceError) -> Bool

    /// Makes a file, in place of one of that name.
    func replace(_ name: String, _ bytes: Data) throws(PlaceError)

    /// A file that is to be one of this place; it gets its name by ``commit(_:as:)``.
    func newFile(for name: String, clearsFolder: Bool) throws(PlaceError) -> TemporaryFile
    /// What it means that such a file cannot be written.
    func failure(_ error: FileError) -> PlaceError
    func commit(_ file: TemporaryFile, as name: String) throws(PlaceError)

    /// A folder on this machine where files of a folder in this place are written.
    func workFolder(for folder: String) throws(PlaceError) -> WorkFolder

    /// Brings files of a work folder to the place that they are for. Afterwards they are safe there.
    func keep(
        _ files: [(name: String, file: ShardMarker.File)], of work: WorkFolder, in folder: String,
        isCancelled: @escaping @Sendable () -> Bool
    ) throws(PlaceError)

    /// Gives files further names that cost no copying through this machine; other files of these names are replaced.
    ///
    /// - Parameters:
    ///   - files: Their names in a folder of this place, their further names, and what they are.
    ///   - folder: The folder that they are in.
    ///   - target: The folder of the further names.
    func publish(
        _ files: [(name: String, other: String, file: ShardMarker.File)], of folder: String, in target: String
    ) throws(PlaceError)

    /// Removes a file; one that is not there is as good as removed.
    func remove(_ name: String) throws(PlaceError)

    /// Waits until names in a folder are safe.
    func sync(_ folder: String) throws(PlaceError)

    /// Removes what killed programs have left half written.
    ///
    /// - Parameters:
    ///   - folders: Where; an empty name is the place itself.
    ///   - isLost: Whether nobody can be at work on a file of this name any more. It is told whether the file was begun more than a
    ///     day ago.
    func clearAbandoned(in folders: [String], isLost: (_ name: String, _ isOld: Bool) -> Bool) throws(PlaceError)

    /// The program is to end: what takes long is given up after some seconds.
    func endSoon()

    /// Removes what it has on this machine; nobody writes any more.
    func removeStaging()
}

extension PlanPlace {
    /// Of a folder nothing can be given up.
    func endSoon() {}
    /// A folder has nothing elsewhere.
    func removeStaging() {}
    func failure(_ error: FileError) -> PlaceError { .file(error) }
}

/// A file on this machine that may be a copy, which goes with this.
final class LocalFile {
    let path: String
    private let isCopy: Bool

    init(path: String, isCopy: Bool) {
        (self.path, self.isCopy) = (path, isCopy)
    }

    deinit { if isCopy { unlink(path) } }
}

/// Where files are written before they are kept.
struct WorkFolder: Sendable {
    let path: String
    /// Keeps the folder while somebody writes to it; nil where it is the place itself.
    let staging: StagingFolder?

    /// Removes files that are not to be kept.
    func discard(_ names: [String]) {
        for name in names { unlink(path + "/" + name) }
    }
}

/// Makes places of what people call them.
enum PlanPlaces {
    /// What stores are asked with, in tests; nil for what the environment says.
    @TaskLocal static var settings: StoreSettings?

    /// - Throws: `storeRefused` where it is no place in an object store, or the environment does not say how to get there.
    static func open(_ path: String) throws(DevelopmentError) -> any PlanPlace {
        guard StoreLocation.isMeant(path) else { return FolderPlace(path: path) }
        do throws(StoreError) {
            let location = try StoreLocation(path)
            let settings: StoreSettings
            if let known = Self.settings { settings = known } else { settings = try StoreSettings.current() }
            return StorePlace(location, ObjectStore(bucket: location.bucket, settings))
        } catch {
            throw .storeRefused(path: path, reason: "\(error)")
        }
    }
}
