import Foundation

/// The texts in a Swift source, and what is done with each.
struct MessageScanner {
    struct Literal {
        /// As translators see it: `{1}` and so on in the places of values. Literals with `+` between them are one.
        let key: String
        let line: Int
        /// The call that takes it; empty where none does.
        let call: String
        /// Whether it becomes a message that is translated.
        let isMarked: Bool
    }

    /// A bracket that is open, and the code before it.
    private struct Opener {
        let bracket: Character
        let before: String
    }

    private static let markers: Set<String> = [
        "tr", "CountedMessage", "UsageError", "Console.problem", "Console.tell", "problem", "tell", "nothing",
        "self.init",
    ]

    private(set) var literals: [Literal] = []
    private let text: [Character]

    init(_ source: String) {
        // Comments may have quotes, too.
        let lines = source.split(separator: "\n", omittingEmptySubsequences: false).map { line in
            line.drop { $0 == " " }.hasPrefix("//") ? "" : line
        }
        text = Array(lines.joined(separator: "\n"))
        scan(0..<text.count)
    }

    /// Finds the literals of a part of the source, also those inside others' interpolations.
    private mutating func scan(_ range: Range<Int>) {
        var openers: [Opener] = []
        var index = range.lowerBound
        while index < range.upperBound {
            switch text[index] {
            case "(", "[", "{":
                openers.append(Opener(bracket: text[index], before: before(index, in: range)))
                index += 1
            case ")", "]", "}":
                _ = openers.popLast()
                index += 1
            case "\"" where isBlock(at: index):
                index = literal(at: index, quotes: 3).end
            case "\"":
                let start = index
                var (key, count, end) = literal(at: index, quotes: 1)
                while let next = continuation(after: end, in: range) {
                    let further = literal(at: next, quotes: 1)
                    key += further.key.replacing(/\{([0-9]+)\}/) { "{\((Int($0.1) ?? 0) + count)}" }
                    (count, end) = (count + further.count, further.end)
                }
                let call = openers.last { $0.bracket != "[" }.map { $0.bracket == "(" ? Self.name($0.before) : "" }
                literals.append(
                    Literal(
                        key: key, line: text[..<start].count { $0 == "\n" } + 1, call: call ?? "",
                        isMarked: Self.isMarked(openers) || before(start, in: range).hasSuffix(": Message =")))
                index = end
            default: index += 1
            }
        }
    }

    private static func isMarked(_ openers: [Opener]) -> Bool {
        for opener in openers.reversed() {
            switch opener.bracket {
            case "(":
                let name = name(opener.before)
                if markers.contains(name) { return true }
                if !name.isEmpty { return false }
            case "{":
                if opener.before.hasSuffix(": Message") || opener.before.hasSuffix("-> Message") { return true }
                if opener.before.firstMatch(of: /switch [^\n]*$/) == nil { return false }
            default: return false
            }
        }
        return false
    }

    /// The name at the end of some code.
    private static func name(_ code: String) -> String {
        String(code.reversed().prefix { $0.isLetter || $0.isNumber || $0 == "." || $0 == "_" }.reversed())
    }

    private func before(_ index: Int, in range: Range<Int>) -> String {
        let code = String(text[max(range.lowerBound, index - 120)..<index])
        // A name is at its bracket; a type may have room before its body.
        let end = code.lastIndex { !$0.isWhitespace }.map { code.index(after: $0) } ?? code.startIndex
        return text[index] == "(" ? code : String(code[..<end])
    }

    private func isBlock(at index: Int) -> Bool { index + 2 < text.count && text[index...(index + 2)] == "\"\"\"" }

    /// Where the literal begins that `+` adds; nil where none does.
    private func continuation(after end: Int, in range: Range<Int>) -> Int? {
        var index = end
        func skip() { while index < range.upperBound, text[index].isWhitespace { index += 1 } }
        skip()
        guard index < range.upperBound, text[index] == "+" else { return nil }
        index += 1
        skip()
        return index < range.upperBound && text[index] == "\"" ? index : nil
    }

    private mutating func literal(at start: Int, quotes: Int) -> (key: String, count: Int, end: Int) {
        let quote = String(repeating: "\"", count: quotes)
        var (key, count, index) = ("", 0, start + quotes)
        while index < text.count, String(text[index..<min(text.count, index + quotes)]) != quote {
            guard text[index] == "\\" else {
                key.append(text[index])
                index += 1
                continue
            }
            guard text[index + 1] == "(" else {
                key.append(text[index + 1] == "n" ? "\n" : text[index + 1])
                index += 2
                continue
            }
            let end = closing(index + 1)
            scan((index + 2)..<end)
            count += 1
            key += "{\(count)}"
            index = end + 1
        }
        return (key, count, index + quotes)
    }

    /// The parenthesis that closes one.
    private func closing(_ open: Int) -> Int {
        var (depth, index, isInText) = (0, open, false)
        while index < text.count {
            switch text[index] {
            case "\"": isInText.toggle()
            case "\\" where isInText && text[index + 1] == "(":
                index = closing(index + 1)
            case "(" where !isInText: depth += 1
            case ")" where !isInText:
                depth -= 1
                if depth == 0 { return index }
            default: break
            }
            index += 1
        }
        return text.count
    }
}

extension ArraySlice<Character> {
    fileprivate static func == (slice: Self, text: String) -> Bool { slice.elementsEqual(text) }
}
