/// Stands for all keys that are equal, for as long as an operation has one of them.
///
/// Who holds which keys is looked up under a lock of all queues, where no client's code may run. So keys are compared
/// when they are set, once and with no lock held; from then on two that are the same object are the same key.
final class SharedKey: Sendable {
    private let key: ExclusionKey
    private let hash: Int

    /// Those that exist, by the hash of their key. It keeps none of them.
    private static let known = Lock<[Int: [Reference]]>([:])

    private struct Reference {
        weak var shared: SharedKey?
        let identity: ObjectIdentifier
    }

    private init(_ key: ExclusionKey, _ hash: Int) {
        self.key = key
        self.hash = hash
    }

    deinit {
        let (hash, identity) = (hash, ObjectIdentifier(self))
        Self.known.withLock { known in
            known[hash]?.removeAll { $0.identity == identity }
            if known[hash]?.isEmpty == true { known[hash] = nil }
        }
    }

    /// Those that stand for some keys, in the order of their descriptions: that of a set is another in each process.
    static func of(_ keys: Set<ExclusionKey>) -> [SharedKey] {
        guard keys.count > 1 else { return keys.map(of) }
        return keys.map { (description: $0.description, key: $0) }.sorted { $0.description < $1.description }
            .map { of($0.key) }
    }

    /// The one that stands for `key`, which is made if there is none.
    static func of(_ key: ExclusionKey) -> SharedKey {
        let hash = key.hashValue
        var compared: [SharedKey] = []
        var made: SharedKey?
        while true {
            let new = known.withLock { known in
                let all = (known[hash] ?? []).compactMap(\.shared)
                // None of those that are left out goes with this, since they are in `compared`.
                let new = all.filter { shared in !compared.contains { $0 === shared } }
                if new.isEmpty, let made {
                    known[hash, default: []].append(Reference(shared: made, identity: ObjectIdentifier(made)))
                }
                return new
            }
            if let same = new.first(where: { $0.key == key }) { return same }
            compared += new
            guard new.isEmpty else { continue }
            if let made { return made }
            made = SharedKey(key, hash)
        }
    }
}

extension SharedKey: Hashable {
    static func == (first: SharedKey, second: SharedKey) -> Bool { first === second }
    func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
