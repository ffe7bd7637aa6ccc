import struct FoundationEssentials.Data

/// What a robots.txt lets a program fetch (RFC 9309).
///
/// A plain value. Of all rules that fit an address the longest decides, and of two that are as long the one that allows. What a
/// file can cost is bounded: rules that are too long are left out, and an address that takes too much work is not allowed.
struct RobotsRules: Sendable {
    private struct Rule {
        /// Where its pattern ends among those of all rules; it begins where the one before ends.
        let end: Int32
        let allows: Bool
    }

    /// How much of a file is read: 500 KiB, as much as has to be.
    static let longestFile = 512_000

    /// The longest path of a rule, in bytes; longer ones are left out.
    static let longestRule = 2_048
    /// How many bytes are compared for one address; one that takes more is not allowed.
    static let mostWork = 4_000_000

    private var rules: [Rule] = []
    /// The patterns of all rules, one behind the other.
    private var patterns: [UInt8] = []

    /// How much memory they take, in bytes.
    var byteCount: Int { patterns.capacity + rules.capacity * MemoryLayout<Rule>.stride }

    /// Everything is allowed.
    init() {}

    /// - Parameters:
    ///   - file: What the host sent.
    ///   - token: What the program is called, see ``token(of:)``; empty for a program without a name.
    init(_ file: Data, for token: String) {
        var (own, all) = (RobotsRules(), RobotsRules())
        var (isOwn, isForAll, hasOwn) = (false, false, false)
        // A group begins with one line or more that say for whom it is; behind its rules another one begins.
        var isNaming = false
        for line in Self.lines(of: file) {
            guard let (key, value) = Self.field(of: line) else { continue }
            switch key {
            case "user-agent":
                if !isNaming { (isOwn, isForAll) = (false, false) }
                isNaming = true
                let name = Self.token(of: value)
                if value.first == UInt8(ascii: "*") { isForAll = true }
                if !token.isEmpty, name.lowercased() == token.lowercased() { (isOwn, hasOwn) = (true, true) }
            case "allow", "disallow":
                isNaming = false
                guard isOwn || isForAll else { continue }
                let pattern = RobotsPattern.canonical(Array(value), escapesWildcards: false)
                if isOwn { own.append(pattern, allows: key == "allow") }
                if isForAll { all.append(pattern, allows: key == "allow") }
            default: continue
            }
        }
        self = hasOwn ? own : all
    }

    private mutating func append(_ pattern: [UInt8], allows: Bool) {
        // Nothing is forbidden by a rule without a path.
        guard !pattern.isEmpty, pattern.count <= Self.longestRule else { return }
        patterns += pattern
        rules.append(Rule(end: Int32(patterns.count), allows: allows))
    }

    /// Whether an address of the host may be fetched.
    func allows(_ address: WebAddress) -> Bool {
        var budget = Self.mostWork
        return allows(address, budget: &budget)
    }

    /// Whether an address of the host may be fetched.
    /// - Parameter budget: How many bytes may be compared, and how many of them were not. Below 0 it was not enough.
    func allows(_ address: WebAddress, budget: inout Int) -> Bool {
        guard !rules.isEmpty, address.path != "/robots.txt" else { return true }
        let query = address.query.map { "?\($0)" } ?? ""
        let text = Array((address.path + query).utf8)
        let path = RobotsPattern.canonical(text, escapesWildcards: true)
        let plain = RobotsPattern.canonical(text, escapesWildcards: true, escapesInQuery: false)
        var (length, allows) = (-1, true)
        var start = 0
        for rule in rules {
            let pattern = RobotsPattern(patterns[start..<Int(rule.end)])
            start = Int(rule.end)
            guard pattern.length >= length else { continue }
            var fits = pattern.matches(path, budget: &budget)
            if !fits, pattern.canReachIntoQuery, plain != path { fits = pattern.matches(plain, budget: &budget) }
            if budget < 0 { return false }
            guard fits else { continue }
            allows = pattern.length > length ? rule.allows : allows || rule.allows
            length = pattern.length
        }
        return allows
    }

    /// What a program is called in a robots.txt, by its `User-Agent`: `Photos/2.1 (+https://…)` is `Photos`.
    static func token(of userAgent: some Sequence<UInt8>) -> String {
        let letters = userAgent.prefix { byte in
            byte | 0x20 >= UInt8(ascii: "a") && byte | 0x20 <= UInt8(ascii: "z") || byte == UInt8(ascii: "_")
                || byte == UInt8(ascii: "-")
        }
        return String(decoding: Array(letters), as: UTF8.self)
    }

    // MARK: Lines

    private static func lines(of file: Data) -> [Data.SubSequence] {
        var text = file.prefix(longestFile)
        // Half a rule is another rule.
        if text.count < file.count {
            text = text.prefix(through: text.lastIndex(of: UInt8(ascii: "\n")) ?? text.startIndex)
        }
        if text.starts(with: [0xEF, 0xBB, 0xBF]) { text = text.dropFirst(3) }
        return text.split { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }
    }

    /// The name of a line's field in small letters, and its value without comment.
    private static func field(of line: Data.SubSequence) -> (key: String, value: ArraySlice<UInt8>)? {
        let text = Array(line.prefix { $0 != UInt8(ascii: "#") })
        guard let colon = text.firstIndex(of: UInt8(ascii: ":")) else { return nil }
        let key = String(decoding: trimmed(text[..<colon]), as: UTF8.self).lowercased()
        return (key, trimmed(text[(colon + 1)...]))
    }

    private static func trimmed(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        var text = text.drop { $0 == 0x20 || $0 == 0x09 }
        while let last = text.last, last == 0x20 || last == 0x09 { text.removeLast() }
        return text
    }
}
