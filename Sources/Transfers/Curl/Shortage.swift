import CCurl
import Glibc

/// What this process, or the system, has no more of, so that a transfer fails: that says nothing about the host.
struct Shortage: Hashable {
    /// The error's number.
    let code: Int32

    /// Nil where the number stands for something else.
    init?(code: Int32) {
        guard [EMFILE, ENFILE, ENOBUFS, ENOMEM].contains(code) else { return nil }
        self.code = code
    }

    /// The shortage that a look-up may have failed by: it opens files and sockets, and libcurl does not say what became of them. Nil
    /// where there are descriptors, and for other failures.
    init?(behind failure: CURLcode) {
        guard [CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_RESOLVE_PROXY].contains(failure) else { return nil }
        let descriptor = open("/dev/null", O_RDONLY | O_CLOEXEC)
        guard descriptor < 0 else {
            close(descriptor)
            return nil
        }
        self.init(code: errno)
    }

    /// The error this means to our callers.
    var error: TransferError {
        .unreachable("this machine has no room for it (\(String(cString: strerror(code))))")
    }
}
