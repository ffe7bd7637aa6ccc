import Glibc

/// The names of what is in a folder, in no order; none if it cannot be read.
package func folderNames(_ path: String) -> [String] { allFolderNames(path) ?? [] }

/// The names of what is in a folder, in no order; nil where not all of them can be read, and `errno` says why. The folder itself and its
/// parent, `.` and `..`, are not among them: who removes what is in a folder must not come to the files beside it.
package func allFolderNames(_ path: String) -> [String]? {
    guard let folder = opendir(path) else { return nil }
    // Not through a copy of the whole entry: the system makes it only as long as its name, and memory may end there.
    let field = MemoryLayout<dirent>.offset(of: \.d_name) ?? 0
    var names: [String] = []
    var reason: Int32
    while true {
        // The end and a failure look the same otherwise.
        errno = 0
        let entry = readdir(folder)
        reason = errno
        guard let entry else { break }
        let name = String(cString: (UnsafeRawPointer(entry) + field).assumingMemoryBound(to: CChar.self))
        if name != ".", name != ".." { names.append(name) }
    }
    closedir(folder)
    errno = reason
    return reason == 0 ? names : nil
}
