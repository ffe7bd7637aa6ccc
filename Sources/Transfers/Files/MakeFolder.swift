import Glibc

/// Makes a folder with all that it lies in, unless it is there.
/// - Parameters:
///   - path: The folder's path.
///   - mode: What is allowed to whom, before the process's mask, for each folder that is made.
/// - Returns: Whether it is there; if not, `errno` says why.
package func makeFolder(_ path: String, mode: UInt32) -> Bool {
    var made = path.hasPrefix("/") ? "" : "."
    for part in path.pathParts {
        made += "/" + part
        // What is there need not be writable, as the root of a container is not.
        if mkdir(made, mode) != 0, errno != EEXIST, !isFolder(made) { return false }
    }
    if isFolder(path) { return true }
    errno = ENOTDIR
    return false
}

private func isFolder(_ path: String) -> Bool {
    let reason = errno
    defer { errno = reason }
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
}
