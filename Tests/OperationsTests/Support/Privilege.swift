import Foundation

/// What a process of root's may do, and an ordinary user's may not.
enum Privilege {
    /// Has this process be an ordinary user's, if it is root's.
    /// - Parameter user: The number of the user, and of the group.
    /// - Returns: False if it cannot.
    static func isGivenUp(for user: id_t) -> Bool {
        guard getuid() == 0 else { return true }
        guard setgid(user) == 0, setuid(user) == 0 else { return false }
        letItselfBeTraced()
        return true
    }

    /// A process that has given up its privilege lets nobody trace it. Leak Sanitizer does at the end, and takes what is in the
    /// registers of threads for leaks otherwise, or ends the process.
    private static func letItselfBeTraced() {
        typealias Control = @convention(c) (CInt, CUnsignedLong, CUnsignedLong, CUnsignedLong, CUnsignedLong) -> CInt
        // Swift calls no function of C that takes any number of arguments.
        guard let control = dlsym(nil, "prctl").map({ unsafeBitCast($0, to: Control.self) }) else { return }
        let setDumpable: CInt = 4
        _ = control(setDumpable, 1, 0, 0, 0)
    }
}
