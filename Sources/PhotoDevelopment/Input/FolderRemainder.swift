import Glibc
import PhotoPipeline
import Transfers

/// What a folder holds beside the pictures of which its catalog is made.
struct FolderRemainder {
    private let folder: String
    private let includesSubfolders: Bool
    private let output: FileIdentity?
    /// The names of folders for results, where the catalog's folder is the run's own output.
    private let isForResults: (String) -> Bool
    private var found: [LeftOutFile] = []

    /// - Parameters:
    ///   - folder: The folder's path.
    ///   - includesSubfolders: Whether the catalog has the pictures of the folders inside, too.
    ///   - catalog: The catalog of its pictures.
    ///   - output: Where the run writes to; all that is in there is its own. Nil for no run.
    ///   - variants: The names of the run's variants, whose results are in folders of these names.
    /// - Returns: The other files, by name.
    static func files(
        in folder: String, _ includesSubfolders: Bool, beside catalog: Catalog, output: String?,
        variants: [String] = []
    ) -> [LeftOutFile] {
        // A folder with no other files, which may be a large one, is not looked at file by file.
        if !includesSubfolders, names(folder).count <= catalog.count { return [] }
        var remainder = FolderRemainder(
            folder: folder, includesSubfolders: includesSubfolders, output: output.flatMap { FileIdentity(path: $0) },
            variants: variants)
        // Paths from the folder, each with a slash at its end.
        var inner = [""]
        while let next = inner.popLast() { remainder.look(into: next, &inner) }
        return remainder.found.sorted { $0.name < $1.name }
    }

    private init(folder: String, includesSubfolders: Bool, output: FileIdentity?, variants: [String]) {
        (self.folder, self.includesSubfolders, self.output) = (folder, includesSubfolders, output)
        let isIntoItself = output != nil && output == FileIdentity(path: folder)
        isForResults = { isIntoItself && (variants.contains($0) || ResultFolderNames.isOne($0)) }
    }

    private mutating func look(into prefix: String, _ inner: inout [String]) {
        for entry in Self.names(folder + "/" + prefix) {
            let name = prefix + entry
            let path = folder + "/" + name
            guard let reason = reason(entry, at: path) else { continue }
            if includesSubfolders, reason == .folder || reason == .resultFolder {
                if access(path, R_OK | X_OK) == 0 {
                    if output == nil || FileIdentity(path: path) != output { inner.append(name + "/") }
                } else {
                    found.append(LeftOutFile(name: name, reason: .unreadable))
                }
            } else {
                found.append(LeftOutFile(name: name, reason: reason))
            }
        }
    }

    /// What runs remember there is theirs.
    private static func names(_ folder: String) -> [String] {
        folderNames(folder).filter { $0 != JournalFolder.name }
    }

    /// Why a file is no picture of the catalog; nil for one that is.
    private func reason(_ name: String, at path: String) -> LeftOutFile.Reason? {
        if name.hasPrefix(".") { return .hidden }
        guard let status = FileStatus(path: path) else { return isLink(path) ? .brokenLink : .unreadable }
        switch status.kind {
        case .folder where isLink(path): return .folderLink
        case .folder:
            let isOutput = output != nil && FileIdentity(path: path) == output
            return isOutput || isForResults(name) || JournalFolder(in: path).hasJournal ? .resultFolder : .folder
        case .file: return Catalog.isImage(named: name) ? nil : .notAnImage
        case .link, .other: return .notAFile
        }
    }

    private func isLink(_ path: String) -> Bool {
        FileStatus(path: path, followsLinks: false)?.kind == .link
    }
}
