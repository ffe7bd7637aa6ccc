/// What the `X-Robots-Tag` fields of an answer ask for: directives, for all or for those whose name stands before them.
enum RobotsTag {
    /// Directives with a value of their own, whose colon is not behind a name.
    private static let valued: Set<String> = [
        "unavailable_after", "max-snippet", "max-image-preview", "max-video-preview",
    ]

    /// The first directive that is respected and meant for a program.
    /// - Parameters:
    ///   - fields: The values of all of the fields.
    ///   - respected: Directives in small letters.
    ///   - token: What the program is called, see ``RobotsRules/token(of:)``.
    static func directive(in fields: [String], respecting respected: Set<String>, token: String) -> String? {
        for field in fields {
            var isMeant = true
            for part in field.split(separator: ",") {
                let pieces = part.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(trimmed)
                var directive = pieces.first ?? ""
                // The time in a date of `unavailable_after` has colons, too; names have no blanks.
                if pieces.count == 2, !valued.contains(directive), !directive.contains(" ") {
                    // From here on it is for somebody else, or for us.
                    isMeant = directive == "*" || directive == token.lowercased() && !token.isEmpty
                    directive = pieces[1].split(separator: ":").first.map(trimmed) ?? ""
                }
                guard isMeant else { continue }
                if respected.contains(directive) { return directive }
                // It is short for "noindex, nofollow".
                if directive == "none", respected.contains("noindex") || respected.contains("nofollow") {
                    return directive
                }
            }
        }
        return nil
    }

    private static func trimmed(_ text: Substring) -> String {
        var text = text.drop { $0 == " " || $0 == "\t" }
        while let last = text.last, last == " " || last == "\t" { text.removeLast() }
        return text.lowercased()
    }
}
