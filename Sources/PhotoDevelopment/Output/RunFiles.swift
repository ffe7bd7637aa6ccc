import Transfers

/// The files that a run keeps in its output folder for itself: what it remembers, and the shards of a data set with their index.
package enum RunFiles {
    /// Why nothing else may be written there.
    static let reason = FileError.ofRun.reason

    /// Whether a path, or the file behind a link there, is in the folder of what runs remember of any output folder.
    package static func areInJournalFolder(_ path: String) -> Bool {
        [path, TemporaryFile.resolved(path)].contains { path in
            let parent = path.lastSlash.map { String(path[..<$0]) } ?? "."
            return [parent, TemporaryFile.resolved(parent)].contains { $0.hasSuffix("/" + JournalFolder.name) }
        }
    }

    /// Whether a path is one of them, or would be.
    ///
    /// - Parameters:
    ///   - path: Any path.
    ///   - output: The output folder, which need not be there yet.
    ///   - hasShards: Whether results lie in shards.
    static func contain(_ path: String, of output: String, hasShards: Bool) -> Bool {
        let slash = path.lastSlash
        let parent = slash.map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
        let name = slash.map { String(path[path.utf8.index(after: $0)...]) } ?? path
        if FileIdentity.isSame(parent, JournalFolder(in: output).path) { return true }
        guard hasShards, FileIdentity.isSame(parent, output) else { return false }
        return name == ShardStore.index || ShardNames.isShard(name) || ShardNames.isTable(name)
    }
}
