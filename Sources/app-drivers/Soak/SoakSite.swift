import FoundationEssentials
import Glibc

/// Where the photos come from: a folder, and a server that the script beside this run starts and stops when it reads that
/// it shall.
struct SoakSite {
    /// Stands in the names of photos that cannot be had.
    static let brokenMark = "broken"
    /// How long rest may be waited for, in seconds.
    static let patience = 180.0

    let folder: String

    /// What can be opened, some of it in vain; the first one always can be.
    let catalogs: [String]

    /// - Parameter folder: With a file `catalogs` that names what can be opened, line by line.
    init(folder: String) {
        self.folder = folder
        let text = try? String(contentsOf: URL(filePath: folder + "/catalogs"), encoding: .utf8)
        catalogs = (text ?? "").split(separator: "\n").map(String.init)
    }

    var isServerUp: Bool { FileManager.default.fileExists(atPath: folder + "/server-is-up") }

    func stopServer() { Self.log("server stop") }
    func startServer() { Self.log("server start") }

    /// Writes a line to standard output.
    static func log(_ text: String) {
        let line = Array((text + "\n").utf8)
        write(STDOUT_FILENO, line, line.count)
    }
}
