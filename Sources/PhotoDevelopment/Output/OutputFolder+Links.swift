import FoundationEssentials
import Glibc
import Transfers

extension OutputFolder {
    /// Gives a finished file a second name; where the file system has no links, or none left, the second name gets a copy.
    ///
    /// - Throws: `ENOENT` where the file is not there any more, or why the second one cannot be written.
    func link(_ name: String, as other: String) throws(FileError) {
        let temporary = path + "/" + TemporaryFile.unusedName()
        if Glibc.link(path + "/" + name, temporary) == 0 {
            let isRenamed = rename(temporary, path + "/" + other) == 0
            // Where both names are links to one file already, rename leaves the first.
            unlink(temporary)
            if isRenamed { return }
        }
        try copy(name, as: other)
    }

    /// Gives a finished file's bytes a second file.
    ///
    /// - Throws: As ``link(_:as:)`` does.
    func copy(_ name: String, as other: String) throws(FileError) {
        let bytes: Data
        do {
            bytes = try Data(contentsOf: URL(localPath: path + "/" + name))
        } catch {
            throw FileError(code: ENOENT)
        }
        try write(bytes, as: other)
    }
}
