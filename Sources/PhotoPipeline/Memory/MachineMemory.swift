import Glibc
import Pixels

/// How much memory this process may use.
enum MachineMemory {
    /// The machine's memory, or what the control groups that the process is in leave it, in bytes.
    /// - Parameter root: Where the file system begins; another place for tests.
    static func available(root: String = "") -> Int {
        let machine = max(sysconf(Int32(_SC_PHYS_PAGES)), 1) * max(sysconf(Int32(_SC_PAGESIZE)), 1)
        let limits = ControlGroups(of: "memory", root: root).folders.compactMap { folder in
            folder.text(of: folder.isUnified ? "memory.max" : "memory.limit_in_bytes")
                .flatMap { Int($0.prefix { $0.isNumber }) }
        }
        return min(machine, limits.filter { $0 > 0 }.min() ?? .max)
    }
}
