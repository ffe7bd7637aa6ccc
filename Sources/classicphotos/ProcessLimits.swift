import CGLib
import Glibc

/// What the process asks of the system before it starts.
enum ProcessLimits {
    static func prepare() {
        // Every connection and every file is a descriptor; the usual soft limit is far below what is allowed.
        var files = rlimit()
        if getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &files) == 0 {
            files.rlim_cur = files.rlim_max
            setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &files)
        }
        // Pictures go back to the system when they are let go. Left to itself, glibc raises this threshold with the first
        // one that is freed, and every thread then keeps some of them.
        cglib_fix_mmap_threshold(256 * 1_024)
    }
}
