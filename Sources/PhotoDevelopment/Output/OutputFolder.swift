import FoundationEssentials
import Glibc
import ImageCodecs
import Transfers

/// The folder that pictures are written to.
struct OutputFolder: Sendable {
    let path: String

    /// A folder to look into, which need not be there.
    init(unprepared path: String) {
        self.path = path
    }

    /// Makes the folder if it is not there, proves that it can be written to, and clears what killed runs left.
    init(preparing path: String) throws(DevelopmentError) {
        self.path = path
        do throws(FileError) {
            guard makeFolder(path, mode: 0o777) else { throw FileError.last }
            let proof = try TemporaryFile(in: path)
            try proof.write(Data([0]))
        } catch {
            throw .outputUnusable(path: path, reason: error.reason)
        }
        TemporaryFile.clearAbandoned(in: path)
    }

    /// Whether a picture of a format is there under a name: not an empty file, nor something else that has come to be
    /// called so. Files of our own are whole, as they get their name when they are.
    func contains(_ name: String, _ format: ImageEncoder.Format) -> Bool {
        let beginning = FileBeginning.bytes(of: path + "/" + name, count: 64)
        return beginning.flatMap(ImageFormat.init(sniffing:))?.rawValue == format.rawValue
    }

    /// Writes a whole file, or nothing.
    func write(_ bytes: Data, as name: String) throws(FileError) {
        let file = try TemporaryFile(in: path)
        try file.write(bytes)
        try file.commit(to: path + "/" + name)
    }
}
