/// Knows which pictures in the folders inside a folder were made by runs: all in this run's own output folder, and in the output
/// folders of other runs what their journals name.
///
/// The folder itself is what somebody has named: results of another run in there are pictures as others are. Where it is this run's
/// own output folder, the results in folders inside it are known by its journal.
struct ResultFolders {
    private enum Kind {
        /// No run has written into it.
        case other
        /// A run has written these into it or into folders inside; or into the folder above that begins the path.
        case ofARun(Set<String>, from: Substring)
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
        let isIntoItself = self.output != nil && self.output == FileIdentity(path: root)
        kinds = ["": isIntoItself ? Self.results(in: root).map { .ofARun($0, from: "") } ?? .other : .other]
    }

    /// - Parameter name: A path from the catalog's folder.
    mutating func contain(_ name: String) -> Bool {
        guard let slash = name.lastIndex(of: "/") else { return false }
        switch kind(of: name[..<slash]) {
        case .other: return false
        case .ofARun(let results, let folder):
            return results.contains(String(folder.isEmpty ? name[...] : name.dropFirst(folder.count + 1)))
        case .own: return true
        }
    }

    private mutating func kind(of folder: Substring) -> Kind {
        if let known = kinds[folder] { return known }
        let path = "\(root)/\(folder)"
        var found = Kind.other
        let above = kind(of: folder[..<(folder.lastIndex(of: "/") ?? folder.startIndex)])
        if case .own = above {
            found = .own
        } else if let output, FileIdentity(path: path) == output {
            found = .own
        } else if let results = Self.results(in: path) {
            found = .ofARun(results, from: folder)
        } else if case .ofARun = above {
            found = above
        }
        kinds[folder] = found
        return found
    }

    /// The names of what a run has written into a folder; nil where none has, or where that cannot be known.
    private static func results(in folder: String) -> Set<String>? {
        let place = JournalFolder(in: folder)
        guard place.hasJournal, let journal = try? Journal(opening: place.database) else { return nil }
        var names: Set<String> = []
        for row in JournalRows(of: journal) {
            if case .filtered(let files, _) = row.outcome { names.formUnion(files) }
        }
        return names
    }
}
