public import FoundationEssentials

extension Catalog {
    /// Where a catalog came from, which decides what its relative addresses are relative to and what it may name.
    public enum Origin: Sendable, Hashable {
        /// A file; relative addresses are paths from the folder that holds it.
        case file(path: String)
        /// A folder of pictures, with or without those of folders inside.
        case folder(path: String, includesSubfolders: Bool = false)
        /// Standard input; relative addresses are paths from the current directory.
        case standardInput(currentDirectory: String)
        /// An http(s) address, best the one after redirects; relative addresses follow RFC 3986, and local files are
        /// forbidden.
        case remote(URL)

        /// Standard input of a program whose current directory is this process's.
        static func standardInput() -> Origin {
            .standardInput(currentDirectory: FileManager.default.currentDirectoryPath)
        }

        /// Whether the catalog came over the network, and so may not name local files.
        public var isRemote: Bool {
            if case .remote = self { true } else { false }
        }
    }
}
