/// A command of the program, for those who explain it: the help and the shells' completions.
struct Command {
    /// As a person types it, one or two words.
    let name: String
    /// What has to follow it, in the help.
    let usage: String
    /// In English; its translation is looked for where people read it.
    let summary: String
    let parser: OptionParser

    /// The commands' first words, each once.
    static func firstWords(of commands: [Command]) -> [String] {
        commands.reduce(into: []) { words, command in
            let first = String(command.name.prefix { $0 != " " })
            if !words.contains(first) { words.append(first) }
        }
    }

    /// First words that need a second one, with those.
    static func groups(of commands: [Command]) -> [(word: String, seconds: [String])] {
        firstWords(of: commands).compactMap { first in
            let seconds = commands.filter { $0.name.hasPrefix(first + " ") }.map {
                String($0.name.dropFirst(first.count + 1))
            }
            return seconds.isEmpty ? nil : (first, seconds)
        }
    }
}
