import FoundationEssentials
import Transfers

/// Which file a path means, told by what the system knows it by: through links, and in every spelling of the path.
public struct FileIdentity: Hashable, Sendable {
    private let device: UInt64
    private let number: UInt64

    /// The file at a path, behind links if there are some; nil where there is none, or none that can be seen.
    public init?(path: String) {
        guard let status = FileStatus(path: path) else { return nil }
        self.init(status)
    }

    /// The file that a descriptor is open on; nil where it is closed.
    public init?(descriptor: Int32) {
        guard let status = FileStatus(descriptor: descriptor) else { return nil }
        self.init(status)
    }

    private init(_ status: FileStatus) {
        (device, number) = (status.device, status.number)
    }

    /// The way to a file from a folder that it is in, or from one above; nil where it is elsewhere, or where there is no such folder.
    static func way(to path: String, from folder: String) -> String? {
        guard let top = FileIdentity(path: folder) else { return nil }
        var parts = path.pathParts.map(String.init)
        var way: [String] = []
        while let last = parts.popLast() {
            way.insert(last, at: 0)
            let parent = (path.hasPrefix("/") ? "/" : "./") + parts.joined(separator: "/")
            if FileIdentity(path: parent) == top { return way.joined(separator: "/") }
        }
        return nil
    }

    /// Whether two paths mean one file, which need not be there yet.
    static func isSame(_ first: String, _ second: String) -> Bool {
        if let one = FileIdentity(path: first), let other = FileIdentity(path: second) { return one == other }
        return URL(localPath: first).standardized.path == URL(localPath: second).standardized.path
    }
}
