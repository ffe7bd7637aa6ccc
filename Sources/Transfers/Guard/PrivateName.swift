/// Names that are not those of public hosts.
enum PrivateName {
    /// The last labels of such names: for special use (RFC 6761, 6762 and 8375, ICANN's `internal`), and those that private
    /// networks have always used (RFC 6762, appendix G).
    private static let suffixes: Set<String> = [
        "localhost", "local", "localdomain", "test", "internal", "intranet", "private", "corp", "home", "lan",
    ]

    /// - Parameter host: A name in lower case; one label alone is private.
    static func isPrivate(_ host: String) -> Bool {
        let labels = host.split(separator: ".")
        guard labels.count > 1, let last = labels.last else { return true }
        return suffixes.contains(String(last)) || labels.suffix(2) == ["home", "arpa"]
    }
}
