import Wording

/// A command line's words in the forms that GOption takes.
///
/// GOption wants the value of a short option in a word of its own, and it takes `--quiet=yes` without a sound. GNU programs
/// also take `-s64` and `-qs64`, and people type what those take: here such words become the long form that means the same.
struct OptionWords {
    private(set) var words: [String] = []

    /// - Parameters:
    ///   - commandLine: What stands behind the command.
    ///   - options: The command's options.
    /// - Throws: What is no option, and which option's value is missing or one too many.
    init(_ commandLine: [String], options: [OptionTable.Option]) throws(UsageError) {
        var rest = commandLine[...]
        while let word = rest.popFirst() {
            if word == "--" {
                words.append(word)
                words += rest
                return
            }
            if word.hasPrefix("--") {
                try add(long: word.dropFirst(2), following: &rest, options)
            } else if word.hasPrefix("-"), word != "-" {
                try add(short: word.dropFirst(), following: &rest, options)
            } else {
                words.append(word)
            }
        }
    }

    /// `name`, `name=value`, or `name` with its value in the next word, which may look like an option.
    private mutating func add(
        long word: Substring, following rest: inout ArraySlice<String>, _ options: [OptionTable.Option]
    ) throws(UsageError) {
        let name = word.prefix { $0 != "=" }
        guard let option = options.first(where: { $0.name == name }) else {
            let hint = Suggestion.text(for: String(name), among: options.map { "--\($0.name)" })
            throw UsageError("there is no option --\(String(name).printable)\(hint)")
        }
        let attached = name.endIndex == word.endIndex ? nil : String(word[name.endIndex...].dropFirst())
        if option.valueName == nil {
            guard attached == nil else { throw UsageError("--\(name) takes no value") }
            words.append("--\(name)")
        } else if option.isValueOptional {
            try add(option, value: attached ?? "")
        } else {
            try add(option, value: attached ?? rest.popFirst())
        }
    }

    /// Letters of options without a value, and at the end perhaps one whose value is what is left, or the next word.
    private mutating func add(
        short word: Substring, following rest: inout ArraySlice<String>, _ options: [OptionTable.Option]
    ) throws(UsageError) {
        var letters = word.unicodeScalars
        while let letter = letters.popFirst() {
            guard let option = options.first(where: { $0.short == letter }) else {
                throw UsageError("there is no option -\(String(letter).printable)")
            }
            if option.valueName != nil {
                return try add(option, value: letters.isEmpty ? rest.popFirst() : String(Substring(letters)))
            }
            words.append("--\(option.name)")
        }
    }

    private mutating func add(_ option: OptionTable.Option, value: String?) throws(UsageError) {
        guard let value else {
            let short = option.short.map { "-\($0), " } ?? ""
            throw UsageError("\(short)--\(option.name) needs a value: \(option.valueName ?? "")")
        }
        words.append("--\(option.name)=\(value)")
    }
}
