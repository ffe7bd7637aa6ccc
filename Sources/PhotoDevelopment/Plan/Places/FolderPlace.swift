import FoundationEssentials
import Glibc
import Pixels
import Transfers

/// A plan or its output in a folder. Names are given by `link(2)`, which never replaces a file.
struct FolderPlace: PlanPlace {
    let path: String
    /// What is in the memory of this machine keeps a processor busy; a file server lets one wait.
    var lanes: Int { max(4, MachineProcessors.count) }

    var absolutePath: String { TemporaryFile.resolved(path) }

    func inner(_ name: String) -> any PlanPlace { FolderPlace(path: path + "/" + name) }

    private func place(_ name: String) -> String { name.isEmpty ? path : path + "/" + name }

    /// Turns what the system says into what places say.
    private func calling<Result>(_ body: () throws(FileError) -> Result) throws(PlaceError) -> Result {
        do throws(FileError) {
            return try body()
        } catch {
            throw .file(error)
        }
    }

    // MARK: Names

    func has(_ name: String) throws(PlaceError) -> Bool {
        if access(place(name), F_OK) == 0 { return true }
        try Self.checkIsAbsence(.last)
        return false
    }

    func names(in folder: String) throws(PlaceError) -> [String] {
        if let names = allFolderNames(place(folder)) { return names }
        try Self.checkIsAbsence(.last)
        return []
    }

    func folders() throws(PlaceError) -> [String] { try names(in: "") }

    /// What cannot be looked at for a moment must not count as what is not there: others would go on without it.
    private static func checkIsAbsence(_ error: FileError) throws(PlaceError) {
        if !error.isAbsence { throw .file(error) }
    }

    func listed(in folder: String) -> Set<String>? { nil }

    func sizes(of names: [String], in folder: String) throws(PlaceError) -> [Int?] {
        // From the folder, as each name on a path is looked up anew.
        let descriptor = open(place(folder), O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else {
            try Self.checkIsAbsence(.last)
            return names.map { _ in nil }
        }
        defer { close(descriptor) }
        return try Lanes.map(names.count, lanes: lanes) { (index) throws(PlaceError) in
            var status = stat()
            if fstatat(descriptor, names[index], &status, 0) == 0 { return Int(status.st_size) }
            try Self.checkIsAbsence(.last)
            return nil
        }
    }

    // MARK: Reading

    func read(_ name: String, limit: Int) throws(PlaceError) -> Data? {
        let descriptor = open(place(name), O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else {
            try Self.checkIsAbsence(.last)
            return nil
        }
        defer { close(descriptor) }
        // What is no regular file may have no end, or none yet.
        let size = FileStatus(descriptor: descriptor)?.size ?? 0
        var bytes = Data(count: max(0, min(size, limit)))
        var count = 0
        while count < bytes.count {
            let received = bytes.withUnsafeMutableBytes {
                Glibc.read(descriptor, $0.baseAddress.map { $0 + count }, $0.count - count)
            }
            if received == 0 { break }
            if received > 0 { count += received } else if errno != EINTR { throw .file(.last) }
        }
        return bytes.prefix(count)
    }

    func file(_ name: String) throws(PlaceError) -> ShardMarker.File? {
        do throws(FileError) {
            return try ShardMarker.File(at: place(name))
        } catch {
            if error.code == ENOENT { return nil }
            throw .file(error)
        }
    }

    func areOneFile(_ name: String, _ other: String) -> Bool {
        let identity = FileIdentity(path: place(name))
        return identity != nil && identity == FileIdentity(path: place(other))
    }

    func local(_ name: String) -> LocalFile? { LocalFile(path: place(name), isCopy: false) }

    // MARK: Writing

    func prepare(_ folders: [String]) throws(PlaceError) {
        for folder in [""] + folders {
            guard makeFolder(place(folder), mode: 0o777) else { throw .file(.last) }
        }
    }

    func checkCreatesOnce() throws(PlaceError) {
        let proof = path + "/" + TemporaryFile.unusedName()
        defer { unlink(proof) }
        // That the first one gets the name, and the second one does not.
        for code in [0, EEXIST] {
            let end: Int32
            do throws(FileError) {
                let file = try TemporaryFile(in: path)
                end = withExtendedLifetime(file) { link(file.path, proof) == 0 ? 0 : errno }
            } catch {
                throw .file(error)
            }
            switch end {
            case code: continue
            case 0, EPERM, ENOTSUP, ENOSYS: throw .file(.noHardLinks)
            default: throw .file(FileError(code: end))
            }
        }
    }

    func create(_ name: String, _ bytes: Data) throws(PlaceError) -> Bool {
        let folder = name.lastSlash.map { place(String(name[..<$0])) } ?? path
        let file: TemporaryFile
        do throws(FileError) {
            file = try TemporaryFile(in: folder)
            try file.write(bytes)
            try file.sync()
        } catch {
            throw .notCreated(error)
        }
        // From here on the name may be the file's whatever is said, as where the answer of a server was lost.
        guard withExtendedLifetime(file, { link(file.path, place(name)) == 0 }) else {
            if errno == EEXIST { return false }
            throw .file(.last)
        }
        return try calling { () throws(FileError) in
            try OutputFolder(unprepared: folder).sync()
            return true
        }
    }

    func replace(_ name: String, _ bytes: Data) throws(PlaceError) {
        try calling { () throws(FileError) in
            let file = try TemporaryFile(beside: place(name), clearsFolder: false)
            try file.write(bytes)
            try file.commit()
        }
    }

    func newFile(for name: String, clearsFolder: Bool) throws(PlaceError) -> TemporaryFile {
        try calling { () throws(FileError) in try TemporaryFile(beside: place(name), clearsFolder: clearsFolder) }
    }

    func commit(_ file: TemporaryFile, as name: String) throws(PlaceError) {
        try calling { () throws(FileError) in try file.commit() }
    }

    /// The folder itself: names there are an attempt's own, and nobody looks for them before its marker is there.
    func workFolder(for folder: String) -> WorkFolder { WorkFolder(path: place(folder), staging: nil) }

    func keep(
        _ files: [(name: String, file: ShardMarker.File)], of work: WorkFolder, in folder: String,
        isCancelled: @escaping @Sendable () -> Bool
    ) throws(PlaceError) { try sync(folder) }

    /// One after the other: a folder takes one name at a time, and who waits for it keeps a processor busy.
    func publish(
        _ files: [(name: String, other: String, file: ShardMarker.File)], of folder: String, in target: String
    ) throws(PlaceError) {
        let from = open(place(folder), O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard from >= 0 else { throw .file(.last) }
        defer { close(from) }
        let to = open(place(target), O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard to >= 0 else { throw .file(.last) }
        defer { close(to) }
        for (name, other, _) in files {
            if linkat(from, name, to, other, 0) == 0 { continue }
            guard errno == EEXIST else { throw .file(Self.linkFailure(.last, of: name, in: from)) }
            if FileIdentity.isSame(place(folder) + "/" + name, place(target) + "/" + other) { continue }
            // The old file keeps its name until the new one has it.
            let temporary = TemporaryFile.unusedName()
            guard linkat(from, name, to, temporary, 0) == 0 else {
                throw .file(Self.linkFailure(.last, of: name, in: from))
            }
            guard renameat(to, temporary, to, other) == 0 else {
                let error = FileError.last
                unlinkat(to, temporary, 0)
                throw .file(error)
            }
        }
    }

    /// Why a file of a folder gets no further name.
    private static func linkFailure(_ error: FileError, of name: String, in folder: Int32) -> FileError {
        var status = stat()
        guard error.code == EPERM, fstatat(folder, name, &status, 0) == 0, status.st_uid != geteuid() else {
            return error
        }
        return .ofOtherUser
    }

    func remove(_ name: String) throws(PlaceError) {
        guard unlink(place(name)) == 0 || errno == ENOENT else { throw .file(.last) }
    }

    func sync(_ folder: String) throws(PlaceError) {
        try calling { () throws(FileError) in try OutputFolder(unprepared: place(folder)).sync() }
    }

    func clearAbandoned(in folders: [String], isLost: (_ name: String, _ isOld: Bool) -> Bool) {
        for folder in folders { TemporaryFile.clearAbandoned(in: place(folder)) }
    }
}
