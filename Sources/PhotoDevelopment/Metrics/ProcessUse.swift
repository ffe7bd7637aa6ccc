import FoundationEssentials
import Glibc

/// What this process takes of the machine at present.
struct ProcessUse: Equatable {
    var residentBytes = 0
    var processorSeconds = 0.0

    static var now: ProcessUse {
        var use = ProcessUse()
        if let bytes = FileBeginning.bytes(of: "/proc/self/statm", count: 256) {
            let pages =
                String(decoding: bytes, as: UTF8.self).split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
            use.residentBytes = pages * sysconf(Int32(_SC_PAGESIZE))
        }
        var time = timespec()
        if clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time) == 0 {
            use.processorSeconds = Double(time.tv_sec) + Double(time.tv_nsec) / 1_000_000_000
        }
        return use
    }
}
