import FoundationEssentials
import Glibc
import Operations
import Transfers

/// A plan or its output in an object store. Names are given by a PUT on the condition that there is no such object, which is one request
/// and never the end of an upload in parts, as gateways do not look at the condition there.
final class StorePlace: PlanPlace {
    private let location: StoreLocation
    private let store: ObjectStore
    /// Made when it is needed; places inside have the same one.
    private let staging: Lock<StagingFolder?>
    let lanes = 16

    convenience init(_ location: StoreLocation, _ store: ObjectStore) {
        self.init(location, store, Lock(nil))
    }

    private init(_ location: StoreLocation, _ store: ObjectStore, _ staging: Lock<StagingFolder?>) {
        (self.location, self.store, self.staging) = (location, store, staging)
    }

    var path: String { location.description }
    var absolutePath: String { path }

    func inner(_ name: String) -> any PlanPlace { StorePlace(location.inner(name), store, staging) }

    func endSoon() { store.endSoon() }

    func removeStaging() { staging.withLock { $0.take() }?.discard() }

    private func key(_ name: String) -> String { location.key(name) }
    private func prefix(_ folder: String) -> String {
        let key = folder.isEmpty ? location.prefix : key(folder)
        return key.isEmpty ? "" : key + "/"
    }

    /// Turns what the store says into what places say.
    private func asking<Result>(_ body: () throws(StoreError) -> Result) throws(PlaceError) -> Result {
        do throws(StoreError) {
            return try body()
        } catch {
            throw .store(error)
        }
    }

    private func stagingFolder() throws(PlaceError) -> StagingFolder {
        let found = staging.withLock { folder -> Result<StagingFolder, FileError> in
            if let folder { return .success(folder) }
            return Result { () throws(FileError) in try StagingFolder() }.map { made in
                folder = made
                return made
            }
        }
        return try found.mapError(PlaceError.temporary).get()
    }

    // MARK: Names

    func has(_ name: String) throws(PlaceError) -> Bool {
        try asking { () throws(StoreError) in try store.facts(key(name)) != nil }
    }

    private func items(in folder: String) throws(PlaceError) -> [ObjectStore.Item] {
        let prefix = prefix(folder)
        return try asking { () throws(StoreError) in
            try store.items(prefix).map { ObjectStore.Item(key: String($0.key.dropFirst(prefix.count)), size: $0.size) }
        }
    }

    func names(in folder: String) throws(PlaceError) -> [String] { try items(in: folder).map(\.key) }

    func folders() throws(PlaceError) -> [String] {
        try asking { () throws(StoreError) in try store.folders(prefix("")) }
    }

    func listed(in folder: String) throws(PlaceError) -> Set<String>? { Set(try names(in: folder)) }

    func sizes(of names: [String], in folder: String) throws(PlaceError) -> [Int?] {
        let sizes = Dictionary(try items(in: folder).map { ($0.key, $0.size) }) { $1 }
        return names.map { sizes[$0] }
    }

    // MARK: Reading

    func read(_ name: String, limit: Int) throws(PlaceError) -> Data? {
        var bytes = Data()
        let isThere = try asking { () throws(StoreError) in
            try store.read(key(name)) { piece in
                bytes.append(contentsOf: piece.prefix(limit - bytes.count))
                return bytes.count < limit
            }
        }
        return isThere ? bytes : nil
    }

    func file(_ name: String) throws(PlaceError) -> ShardMarker.File? {
        var sum = ShardMarker.File.Sum()
        let isThere = try asking { () throws(StoreError) in
            try store.read(key(name)) { piece in
                sum.add(piece)
                return true
            }
        }
        return isThere ? sum.finalize() : nil
    }

    func areOneFile(_ name: String, _ other: String) -> Bool { false }

    func local(_ name: String) throws(PlaceError) -> LocalFile? {
        let copy = LocalFile(path: try stagingFolder().path + "/" + TemporaryFile.unusedName(), isCopy: true)
        let descriptor = open(copy.path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw .temporary(.last) }
        defer { close(descriptor) }
        var failure: FileError?
        let isThere = try asking { () throws(StoreError) in
            try store.read(key(name)) { piece in
                do throws(FileError) { try FileError.writeAll(piece, to: descriptor) } catch { failure = error }
                return failure == nil
            }
        }
        if let failure { throw .temporary(failure) }
        return isThere ? copy : nil
    }

    // MARK: Writing

    /// There are no folders.
    func prepare(_ folders: [String]) {}

    func checkCreatesOnce() throws(PlaceError) {
        try asking { () throws(StoreError) in
            // Somebody who clears up may take the first one away.
            for _ in 0..<2 {
                let proof = key(TemporaryFile.unusedName())
                _ = try store.create(proof, Data("first\n".utf8))
                let isRefused = try !store.create(proof, Data("second\n".utf8))
                try store.remove(proof)
                if isRefused { return }
            }
            throw ObjectStore.noConditions
        }
    }

    func create(_ name: String, _ bytes: Data) throws(PlaceError) -> Bool {
        try asking { () throws(StoreError) in try store.create(key(name), bytes, digest: SHA256.hexDigest(of: bytes)) }
    }

    func replace(_ name: String, _ bytes: Data) throws(PlaceError) {
        try asking { () throws(StoreError) in try store.put(key(name), bytes, digest: SHA256.hexDigest(of: bytes)) }
    }

    func newFile(for name: String, clearsFolder: Bool) throws(PlaceError) -> TemporaryFile {
        let folder = try stagingFolder()
        do throws(FileError) {
            return try TemporaryFile(in: folder.path)
        } catch {
            throw .temporary(error)
        }
    }

    func failure(_ error: FileError) -> PlaceError { .temporary(error) }

    func commit(_ file: TemporaryFile, as name: String) throws(PlaceError) {
        let facts: ShardMarker.File
        do throws(FileError) { facts = try ShardMarker.File(at: file.path) } catch { throw .temporary(error) }
        try asking { () throws(StoreError) in
            try store.put(key(name), file: file.path, size: facts.size, digest: facts.sha256) { [store] in
                store.isEnding
            }
        }
    }

    func workFolder(for folder: String) throws(PlaceError) -> WorkFolder {
        let staging = try stagingFolder()
        return WorkFolder(path: staging.path, staging: staging)
    }

    func keep(
        _ files: [(name: String, file: ShardMarker.File)], of work: WorkFolder, in folder: String,
        isCancelled: @escaping @Sendable () -> Bool
    ) throws(PlaceError) {
        for (name, file) in files {
            try asking { () throws(StoreError) in
                try store.put(
                    key(folder + "/" + name), file: work.path + "/" + name, size: file.size, digest: file.sha256,
                    isCancelled: isCancelled)
            }
            work.discard([name])
        }
    }

    func publish(
        _ files: [(name: String, other: String, file: ShardMarker.File)], of folder: String, in target: String
    ) throws(PlaceError) {
        _ = try Lanes.map(files.count, lanes: lanes) { (index) throws(PlaceError) in
            let (name, other, file) = files[index]
            try self.publish(folder + "/" + name, as: target + "/" + other, file)
        }
    }

    private func publish(_ name: String, as other: String, _ file: ShardMarker.File) throws(PlaceError) {
        try asking { () throws(StoreError) in
            // It may have been published before; its digest has gone with the copy.
            if let known = try store.facts(key(other)), known.size == file.size, known.digest == file.sha256 { return }
            try store.copy(key(name), to: key(other), size: file.size, digest: file.sha256) { [store] in store.isEnding
            }
        }
    }

    func remove(_ name: String) throws(PlaceError) {
        try asking { () throws(StoreError) in try store.remove(key(name)) }
    }

    func sync(_ folder: String) {}

    /// After so many seconds nobody is at work on an upload any more.
    private static let oldAge = 86_400

    func clearAbandoned(
        in folders: [String], isLost: (_ name: String, _ isOld: Bool) -> Bool
    ) throws(PlaceError) {
        for folder in folders {
            let prefix = prefix(folder)
            try asking { () throws(StoreError) in
                // Parts of uploads that nobody will end, which cost room and are in no list of objects.
                for upload in try store.uploads(prefix) {
                    let name = String(upload.key.dropFirst(prefix.count))
                    guard isLost(name, upload.isOlder(than: Self.oldAge)) else { continue }
                    try store.abort(upload.key, upload: upload.name)
                }
            }
            for name in try names(in: folder) where TemporaryFile.isUnusedName(name) {
                try remove(folder.isEmpty ? name : folder + "/" + name)
            }
        }
    }
}
