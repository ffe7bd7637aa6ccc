import Foundation

/// What a process of root's may do, and an ordinary user's may not.
enum Privilege {
    /// Has this process be an ordinary user's, if it is root's.
    /// - Parameter user: The number of the user, and of the group.
    /// - Returns: False if it cannot.
    static func isGivenUp(for user: id_t) -> Bool {
        getuid() != 0 || setgid(user) == 0 && setuid(user) == 0
    }
}
