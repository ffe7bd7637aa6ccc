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
        cglib_set_malloc_options(256 * 1_024, Int32(max(2, sysconf(Int32(_SC_NPROCESSORS_ONLN)))))
    }
}
