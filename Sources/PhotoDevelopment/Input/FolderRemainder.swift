import Glibc
import PhotoPipeline
import Transfers

/// What a folder holds beside the pictures of which its catalog is made.
enum FolderRemainder {
    /// - Parameters:
    ///   - folder: The folder's path.
    ///   - catalog: The catalog of its pictures.
    /// - Returns: The other files, by name.
    static func files(in folder: String, beside catalog: Catalog) -> [LeftOutFile] {
        // What runs remember there is theirs.
        let names = folderNames(folder).filter { ![".", "..", JournalFolder.name].contains($0) }
        guard names.count > catalog.count else { return [] }
        let images = Set(catalog.lazy.map(\.name))
        return names.filter { !images.contains($0) }.sorted().map { name in
            LeftOutFile(name: name, reason: reason(name, in: folder))
        }
    }

    private static func reason(_ name: String, in folder: String) -> LeftOutFile.Reason {
        if name.hasPrefix(".") { return .hidden }
        var status = stat()
        guard stat(folder + "/" + name, &status) == 0 else { return .brokenLink }
        switch status.st_mode & S_IFMT {
        case S_IFDIR: return .folder
        case S_IFREG: return .notAImage
        default: return .notAFile
        }
    }
}
