import Glibc

/// A file of settings as AWS tools share it: `~/.aws/credentials` or `~/.aws/config`.
///
/// GLib's key files refuse the whole file for a comment after `;`, or a line that is indented and has no `=`.
struct SharedSettings {
    private var sections: [String: [String: String]] = [:]

    /// - Parameter text: Sections in brackets, and lines `name = value`; what is indented below a line belongs to that line.
    init(_ text: String) {
        var section: String?
        for line in text.split(whereSeparator: \.isNewline) {
            if line.first?.isWhitespace ?? true { continue }
            let words = line.trimmed
            guard let first = words.first, first != "#", first != ";" else { continue }
            if first == "[" {
                section = words.firstIndex(of: "]").map { Self.name(words[words.index(after: words.startIndex)..<$0]) }
            } else if let section, let equals = words.firstIndex(of: "=") {
                let name = words[..<equals].trimmed.lowercased()
                sections[section, default: [:]][name] = Self.value(words[words.index(after: equals)...])
            }
        }
    }

    /// Reads a file; one that is not there has nothing in it.
    init(path: String) {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY)
        defer { if descriptor >= 0 { close(descriptor) } }
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 1 << 14)
        while descriptor >= 0, bytes.count < 1 << 20 {
            let count = read(descriptor, &piece, piece.count)
            if count < 0 && errno == EINTR { continue }
            guard count > 0 else { break }
            bytes += piece[..<count]
        }
        self.init(String(decoding: bytes, as: UTF8.self))
    }

    /// A value of a profile; nil where it is not set or empty.
    func value(_ name: String, of profile: String) -> String? {
        guard let value = sections[profile]?[name], !value.isEmpty else { return nil }
        return value
    }

    func has(_ profile: String) -> Bool { sections[profile] != nil }

    /// `profile work` in one of the files is `work` in the other.
    private static func name(_ text: Substring) -> String {
        let words = text.split(whereSeparator: \.isWhitespace)
        return words.count == 2 && words[0] == "profile" ? String(words[1]) : words.joined(separator: " ")
    }

    /// What stands behind ` #` or ` ;` is a comment.
    private static func value(_ text: Substring) -> String {
        var value = text.trimmed
        for mark in [" #", " ;", "\t#", "\t;"] {
            if let range = value.firstRange(of: mark) { value = value[..<range.lowerBound].trimmed }
        }
        return value
    }
}
