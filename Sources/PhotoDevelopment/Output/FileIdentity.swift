import FoundationEssentials
import Glibc

/// Which file a path means, told by what the system knows it by: through links, and in every spelling of the path.
public struct FileIdentity: Hashable, Sendable {
    private let device: UInt64
    private let number: UInt64

    /// The file at a path, behind links if there are some; nil where there is none, or none that can be seen.
    public init?(path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        self.init(status)
    }

    /// The file that a descriptor is open on; nil where it is closed.
    public init?(descriptor: Int32) {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { return nil }
        self.init(status)
    }

    private init(_ status: stat) {
        device = UInt64(status.st_dev)
        number = UInt64(status.st_ino)
    }

    /// Whether two paths mean one file, which need not be there yet.
    static func isSame(_ first: String, _ second: String) -> Bool {
        if let one = FileIdentity(path: first), let other = FileIdentity(path: second) { return one == other }
        return URL(filePath: first).standardized.path == URL(filePath: second).standardized.path
    }
}
