/// Changes of a ``DiskStore`` that could not be written: a plain value. What is read counts as changed, and the next time that something is
/// written they are made up for.
///
/// What was replaced, or what its server has taken back, would be used as fresh otherwise.
struct UnwrittenChanges<Record: StoredRecord> {
    enum Change: Equatable {
        case removed
        case updated(Record)
    }

    /// Keys of what was removed, and whether that goes for keys that begin with them and a space.
    private(set) var removed: [String: Bool] = [:]
    private(set) var updated: [String: Record] = [:]
    /// Whether there were so many that everything counts as removed.
    private(set) var isOverfull = false
    /// Whether there are some of which nobody can say that there may be nothing to change.
    private(set) var areCertain = false

    /// The most that are noted: 10 MB, and a few seconds to make up for.
    private static var mostRemoved: Int { 32_768 }
    /// The most records, of some hundred bytes each.
    private static var mostUpdated: Int { 4_096 }

    var isEmpty: Bool { removed.isEmpty && updated.isEmpty && !isOverfull }

    mutating func remove(_ key: String, withVariants: Bool = false) {
        areCertain = true
        guard !isOverfull else { return }
        updated[key] = nil
        removed[key] = removed[key, default: false] || withVariants
        guard removed.count > Self.mostRemoved else { return }
        (removed, updated, isOverfull) = ([:], [:], true)
    }

    /// Notes that something is new where nobody can see whether there was something before. Of that much is left out that would leave
    /// no room for what is known to be no longer right: what may be there then is as old as its record says.
    mutating func replace(_ key: String) {
        if updated[key] != nil { return remove(key) }
        guard !isOverfull, removed.count < Self.mostRemoved / 2 else { return }
        removed[key] = removed[key, default: false]
    }

    /// Notes what is known of a body now. What was removed stays removed.
    mutating func update(_ record: Record, for key: String) {
        guard change(of: key) != .removed else { return }
        areCertain = true
        if updated.count < Self.mostUpdated || updated[key] != nil {
            updated[key] = record
        } else {
            remove(key)
        }
    }

    /// What has become of what is stored under a key; nil where it is as it is stored.
    func change(of key: String) -> Change? {
        if isOverfull { return .removed }
        if isEmpty { return nil }
        if removed[key] != nil { return .removed }
        let isVariant = key.indices.contains { key[$0] == " " && removed[String(key[..<$0])] == true }
        return isVariant ? .removed : updated[key].map { .updated($0) }
    }
}
