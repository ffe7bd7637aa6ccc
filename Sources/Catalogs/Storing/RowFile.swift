import Glibc
import Transfers

/// A file without a name for the rows of a catalog, which is gone with this.
final class RowFile: Sendable {
    let descriptor: Int32

    /// - Throws: That there can be none, with the folder and why.
    init(in folder: String) throws(CatalogError) {
        descriptor = UnnamedFile.make(in: folder)
        if descriptor < 0 { throw .notStored(folder: folder, reason: SystemError.text(errno)) }
    }

    deinit { close(descriptor) }
}
