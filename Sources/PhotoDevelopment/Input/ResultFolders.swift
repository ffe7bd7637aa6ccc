import Transfers

/// Knows which pictures of a folder were made by runs: in the folders inside all in this run's own output folder, and in the
/// output folders of other runs what their journals name.
///
/// The folder itself is what somebody has named: results of another catalog in there are pictures as others are. What runs made there
/// of the folder's own pictures is known by its journal. Where it is this run's own output folder, so are the results in folders
/// inside it.
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
    /// Whether runs have made pictures in the folder of the pictures in there.
    let holdsOwnResults: Bool

    /// - Parameters:
    ///   - root: The catalog's folder.
    ///   - output: The folder that the run writes to.
    init(in root: String, output: String) {
        self.root = root
        self.output = FileIdentity(path: output)
        let isIntoItself = self.output != nil && self.output == FileIdentity(path: root)
        let journal = Self.journal(in: root)
        let source = journal.flatMap { try? $0.source() } ?? ""
        holdsOwnResults = !source.isEmpty && FileIdentity(path: source) == FileIdentity(path: root)
        kinds = ["": .other]
        if isIntoItself || holdsOwnResults, let journal { kinds[""] = .ofARun(Self.results(of: journal), from: "") }
    }

    /// - Parameter name: A path from the catalog's folder.
    mutating func contain(_ name: String) -> Bool {
        let slash = name.lastSlash
        guard slash != nil || holdsOwnResults else { return false }
        switch kind(of: slash.map { name[..<$0] } ?? "") {
        case .other: return false
        case .ofARun(let results, let folder):
            let start = folder.isEmpty ? 0 : folder.utf8.count + 1
            return results.contains(String(Substring(name.utf8.dropFirst(start))))
        case .own: return true
        }
    }

    private mutating func kind(of folder: Substring) -> Kind {
        if let known = kinds[folder] { return known }
        let path = "\(root)/\(folder)"
        var found = Kind.other
        let above = kind(of: folder[..<(folder.lastSlash ?? folder.startIndex)])
        if case .own = above {
            found = .own
        } else if let output, FileIdentity(path: path) == output {
            found = .own
        } else if let journal = Self.journal(in: path) {
            found = .ofARun(Self.results(of: journal), from: folder)
        } else if case .ofARun = above {
            found = above
        }
        kinds[folder] = found
        return found
    }

    /// The journal of a folder; nil where no run has begun there, or where that cannot be known.
    private static func journal(in folder: String) -> Journal? {
        let place = JournalFolder(in: folder)
        return place.hasJournal ? try? Journal(opening: place.database) : nil
    }

    /// The names of what runs have written.
    private static func results(of journal: Journal) -> Set<String> {
        var names: Set<String> = []
        for row in JournalRows(of: journal) {
            if case .filtered(let files, _) = row.outcome { names.formUnion(files) }
        }
        return names
    }
}
