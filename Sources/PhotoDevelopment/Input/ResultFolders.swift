/// Knows which pictures in the folders inside a folder were made by runs: those in this run's own output folder, and in the output
/// folders of other runs what is called as a result is.
///
/// The folder itself is what somebody has named: results of another run in there are pictures as others are.
struct ResultFolders {
    private enum Kind {
        /// No run has written into it.
        case other
        /// A run has begun in it, or in one of those that hold it.
        case ofARun
        /// It is where this run writes to, or inside.
        case own
    }

    private let root: String
    private let output: FileIdentity?
    private var kinds: [Substring: Kind]

    /// - Parameters:
    ///   - root: The catalog's folder.
    ///   - output: The folder that the run writes to.
    init(in root: String, output: String) {
        self.root = root
        self.output = FileIdentity(path: output)
        // Where it is the run's own, there are pictures of the catalog beside the results.
        kinds = ["": self.output == FileIdentity(path: root) ? .ofARun : .other]
    }

    /// - Parameter name: A path from the catalog's folder.
    mutating func contain(_ name: String) -> Bool {
        guard let slash = name.lastIndex(of: "/") else { return false }
        switch kind(of: name[..<slash]) {
        case .other: return false
        case .ofARun: return ResultNames.isCalledAsResult(name[name.index(after: slash)...])
        case .own: return true
        }
    }

    private mutating func kind(of folder: Substring) -> Kind {
        if let known = kinds[folder] { return known }
        var found = kind(of: folder[..<(folder.lastIndex(of: "/") ?? folder.startIndex)])
        if found != .own {
            let path = "\(root)/\(folder)"
            if let output, FileIdentity(path: path) == output {
                found = .own
            } else if JournalFolder(in: path).hasJournal {
                found = .ofARun
            }
        }
        kinds[folder] = found
        return found
    }
}
