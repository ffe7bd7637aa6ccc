public import Catalogs

/// A file in the catalog's folder that a run does not develop.
public struct LeftOutFile: Hashable, Sendable {
    /// What the folder of a catalog holds beside its pictures; nothing for a catalog that is no folder.
    ///
    /// - Parameter catalog: The catalog.
    /// - Returns: The files, by name.
    public static func files(beside catalog: Catalog) -> [LeftOutFile] {
        guard case .folder(let folder, let includesSubfolders) = catalog.origin else { return [] }
        return FolderRemainder.files(in: folder, includesSubfolders, beside: catalog, output: nil)
    }

    /// Why it is left out.
    public enum Reason: Sendable {
        /// An earlier run wrote it there: it is what was made of a picture.
        case result
        /// It is the contact sheet of an earlier run, which this one replaces.
        case contactSheet
        /// Its name does not end as a picture's of a kind that is read.
        case notAnImage
        /// Its name begins with a dot.
        case hidden
        /// It is a folder, whose pictures belong to another album.
        case folder
        /// It is a link to a folder, which may lead in a circle.
        case folderLink
        /// It is a folder that a run writes to.
        case resultFolder
        /// It cannot be looked at: a folder without the right to do so, or a name that is no text.
        case unreadable
        /// It is a device, a pipe or a socket.
        case notAFile
        /// It is a link to something that is not there.
        case brokenLink
    }

    /// The file's name in the folder; of one in a folder inside, the path from the catalog's.
    public let name: String
    /// Why it is left out.
    public let reason: Reason
}
