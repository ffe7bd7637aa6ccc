import FoundationEssentials
import Glibc

/// How much memory this process may use.
enum MachineMemory {
    /// The machine's memory, or what the control groups that the process is in leave it, in bytes.
    /// - Parameter root: Where the file system begins; another place for tests.
    static func available(root: String = "") -> Int {
        let machine = max(sysconf(Int32(_SC_PHYS_PAGES)), 1) * max(sysconf(Int32(_SC_PAGESIZE)), 1)
        return min(machine, groupLimit(root: root) ?? .max)
    }

    /// The lowest limit of the control groups, of either version; nil if there is none.
    private static func groupLimit(root: String) -> Int? {
        let groups = text(root + "/proc/self/cgroup")?.split(separator: "\n") ?? []
        var limits: [Int] = []
        for group in groups {
            // number:controllers:path; version 2 has no controllers.
            let parts = group.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
            guard parts.count == 3 else { continue }
            let isMemory = parts[1].split(separator: ",").contains("memory")
            guard parts[1].isEmpty || isMemory else { continue }
            let (mount, file) =
                isMemory ? ("/sys/fs/cgroup/memory", "memory.limit_in_bytes") : ("/sys/fs/cgroup", "memory.max")
            var path = parts[2] == "/" ? "" : String(parts[2])
            // A group has its own limit and those of all above it.
            while true {
                let limit = text("\(root)\(mount)\(path)/\(file)").flatMap { Int($0.prefix { $0.isNumber }) }
                if let limit, limit > 0 { limits.append(limit) }
                guard let slash = path.lastIndex(of: "/") else { break }
                path = String(path[..<slash])
            }
        }
        return limits.min()
    }

    private static func text(_ path: String) -> String? {
        try? String(contentsOfFile: path, encoding: .utf8)
    }
}
