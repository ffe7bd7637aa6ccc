internal import FoundationEssentials

/// The control groups that this process is in, of either version; containers and services have limits there.
package struct ControlGroups {
    /// A group's folder.
    package struct Folder {
        let path: String
        /// Whether it is of version 2, whose files have other names.
        package let isUnified: Bool

        /// What stands in one of its files; nil if that is not there.
        package func text(of file: String) -> String? { ControlGroups.text(path + "/" + file) }
    }

    /// The groups of a controller, and all above them: each has its own limit, and all of them hold.
    package let folders: [Folder]

    /// - Parameters:
    ///   - controller: Such as `memory` or `cpu`.
    ///   - root: Where the file system begins; another place for tests.
    package init(of controller: String, root: String = "") {
        var folders: [Folder] = []
        for group in Self.text(root + "/proc/self/cgroup")?.split(separator: "\n") ?? [] {
            // number:controllers:path; version 2 has no controllers.
            let parts = group.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
            guard parts.count == 3 else { continue }
            let isUnified = parts[1].isEmpty
            guard isUnified || parts[1].split(separator: ",").contains(Substring(controller)) else { continue }
            let mount = root + "/sys/fs/cgroup" + (isUnified ? "" : "/" + controller)
            var path = parts[2] == "/" ? "" : String(parts[2])
            while true {
                folders.append(Folder(path: mount + path, isUnified: isUnified))
                guard let slash = path.lastIndex(of: "/") else { break }
                path = String(path[..<slash])
            }
        }
        self.folders = folders
    }

    private static func text(_ path: String) -> String? {
        try? String(contentsOfFile: path, encoding: .utf8)
    }
}
