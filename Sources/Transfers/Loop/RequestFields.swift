/// Which header fields of a request go along when a redirect leads to another origin.
///
/// Browsers take away `Authorization` (Fetch standard, 4.4), and curl that and `Cookie`. Services have more names for what
/// lets somebody in (`X-Api-Key`, `PRIVATE-TOKEN`, `x-amz-security-token`), which nobody can list. So what goes along is
/// listed instead: what says something about the body, or on which condition it is taken.
enum RequestFields {
    private static let known: Set<String> = ["accept", "accept-language", "cache-control", "expires", "user-agent"]
    /// What the names of others begin with: fields of the body, and conditions (RFC 9110, 8 and 13.1).
    private static let beginnings = ["content-", "if-"]

    /// Whether a line, `name: value` or `name;`, goes along.
    static func mayCross(_ line: String) -> Bool {
        let name = line.prefix { $0 != ":" && $0 != ";" }.lowercased()
        return known.contains(name) || beginnings.contains { name.hasPrefix($0) }
    }
}
