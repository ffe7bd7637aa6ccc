import FoundationEssentials
import Glibc
import ImageCodecs
import Transfers

/// The folder that pictures are written to.
struct OutputFolder: Sendable {
    let path: String
    /// Whether it is in the folder for temporary files.
    private let isTemporary: Bool

    /// A folder to look into, which need not be there.
    init(unprepared path: String, isTemporary: Bool = false) {
        (self.path, self.isTemporary) = (path, isTemporary)
    }

    /// What may help where nothing can be written to it, to be put behind a sentence.
    var hint: String { isTemporary ? " TMPDIR names another folder." : "" }

    /// Makes the folder if it is not there, proves that it can be written to, and clears what killed runs left.
    ///
    /// - Throws: `outputOfPlan` where it is a plan's, or why it cannot be written to.
    init(preparing path: String) throws(DevelopmentError) {
        self.init(unprepared: path)
        try checkIsNoPlans()
        if Self.leadsNowhere(path) {
            throw .outputUnusable(path: path, reason: "it is a link that leads nowhere")
        }
        do throws(FileError) {
            guard makeFolder(path, mode: 0o777) else { throw FileError.last }
            let proof = try TemporaryFile(in: path)
            try proof.write(Data([0]))
        } catch {
            throw .outputUnusable(path: path, reason: error.reason)
        }
        TemporaryFile.clearAbandoned(in: path)
    }

    /// Checks that it is no folder of a plan, nor one that the tasks of a plan write to: what they merge has names that a run's
    /// files have, too.
    func checkIsNoPlans() throws(DevelopmentError) {
        if RunPlan.isThere(in: path) { throw .outputOfPlan(path: path) }
    }

    /// Whether a path has a link in it whose target is not there.
    private static func leadsNowhere(_ path: String) -> Bool {
        var way = path.hasPrefix("/") ? "" : "."
        return path.pathParts.contains { part in
            way += "/" + part
            return FileStatus(path: way, followsLinks: false)?.kind == .link && FileStatus(path: way) == nil
        }
    }

    /// Whether a picture of a format is there under a name: not an empty file, nor something else that has come to be
    /// called so. Files of our own are whole, as they get their name when they are.
    func contains(_ name: String, _ format: ImageEncoder.Format) -> Bool {
        let beginning = FileBeginning.bytes(of: path + "/" + name, count: 64)
        return beginning.flatMap(ImageFormat.init(sniffing:))?.rawValue == format.rawValue
    }

    /// Whether a file is there under a name that is not empty.
    ///
    /// - Throws: Where that cannot be known.
    func hasBytes(_ name: String) throws(FileError) -> Bool {
        guard let status = try FileStatus.ofFile(at: path + "/" + name) else { return false }
        return status.kind == .file && status.size > 0
    }

    /// Whether files are there under all of some names that are not empty.
    ///
    /// - Throws: Where that cannot be known.
    func haveBytes(_ names: [String]) throws(FileError) -> Bool {
        for name in names where try !hasBytes(name) { return false }
        return true
    }

    /// Makes the folder inside this one that a name leads to, if it does and there is none.
    func makeParent(of name: String) throws(FileError) {
        guard let slash = name.lastSlash else { return }
        guard mkdir(path + "/" + name[..<slash], 0o777) == 0 || errno == EEXIST else { throw .last }
    }

    /// A file with these bytes that has no name yet.
    func unnamed(_ bytes: Data) throws(FileError) -> TemporaryFile {
        let file = try DescriptorWait.open(.result) { () throws(FileError) in try TemporaryFile(in: path) }
        try file.write(bytes)
        file.beginSync()
        return file
    }

    /// Writes a whole file, or nothing.
    func write(_ bytes: Data, as name: String) throws(FileError) {
        try unnamed(bytes).commit(to: path + "/" + name)
    }

    /// Makes files one after the other. Where one cannot be made, those are removed of which it is known that they were not there
    /// before.
    ///
    /// - Parameters:
    ///   - names: What they are called.
    ///   - make: Makes the one at a place among the names.
    func eachOrNone(
        of names: [String], make: (_ place: Int, _ name: String) throws(FileError) -> Void
    ) throws(FileError) {
        var made: [String] = []
        do throws(FileError) {
            for (place, name) in names.enumerated() {
                // The last one fails alone.
                let isNew = place < names.count - 1 && (try? hasBytes(name)) == false
                try make(place, name)
                if isNew { made.append(name) }
            }
        } catch {
            for name in made { unlink(path + "/" + name) }
            throw error
        }
    }

    /// Waits until the names in the folder are on the disk.
    func sync() throws(FileError) {
        let descriptor = try DescriptorWait.open(.batch) { () throws(FileError) in
            let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_DIRECTORY)
            guard descriptor >= 0 else { throw .last }
            return descriptor
        }
        defer { close(descriptor) }
        // Some file systems have nothing to sync.
        guard fsync(descriptor) == 0 || errno == EINVAL else { throw .last }
    }
}
