import Glibc

/// The names of what is in a folder, in no order; none if it cannot be read.
package func folderNames(_ path: String) -> [String] {
    guard let folder = opendir(path) else { return [] }
    defer { closedir(folder) }
    // Not through a copy of the whole entry: the system makes it only as long as its name, and memory may end there.
    let field = MemoryLayout<dirent>.offset(of: \.d_name) ?? 0
    var names: [String] = []
    while let entry = readdir(folder) {
        names.append(String(cString: (UnsafeRawPointer(entry) + field).assumingMemoryBound(to: CChar.self)))
    }
    return names
}
