package import FoundationEssentials

extension URL {
    /// The address of a file, by a path as the system takes it.
    ///
    /// `URL(filePath:)` takes a `~` at the beginning of a relative path for somebody's home, as only shells do.
    ///
    /// - Parameter path: The path, from the current directory if it is relative.
    package init(localPath path: String) {
        guard !path.hasPrefix("/") else {
            self.init(filePath: path)
            return
        }
        let directory = FileManager.default.currentDirectoryPath
        self.init(filePath: directory.hasSuffix("/") ? directory + path : "\(directory)/\(path)")
    }
}
