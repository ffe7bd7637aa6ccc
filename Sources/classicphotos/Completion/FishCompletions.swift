/// Completions in the form of fish.
struct FishCompletions {
    let script: String

    init(_ commands: [Command]) {
        var lines = ["# Completions of classicphotos for fish.", "complete -c classicphotos -f"]
        for word in Command.firstWords(of: commands) {
            let summary = commands.first { $0.name == word }?.summary ?? "work with \(word)s"
            lines.append(
                "complete -c classicphotos -n __fish_use_subcommand -a \(word) -d \(summary.quoted(for: .fish))")
        }
        lines.append("complete -c classicphotos -n __fish_use_subcommand -a help -d 'show the help of a command'")
        for option in Program.options {
            let names = "-l \(option.name)" + (option.short.map { " -s \($0)" } ?? "")
            lines.append(
                "complete -c classicphotos -n __fish_use_subcommand \(names) -d \(option.help.quoted(for: .fish))")
        }
        let words = Command.firstWords(of: commands).joined(separator: " ")
        lines.append("complete -c classicphotos -n '__fish_seen_subcommand_from help' -a '\(words)'")
        for (group, words) in Command.groups(of: commands) {
            let condition =
                "__fish_seen_subcommand_from \(group); and not __fish_seen_subcommand_from \(words.joined(separator: " "))"
            for word in words {
                let summary = commands.first { $0.name == "\(group) \(word)" }?.summary ?? ""
                lines.append(
                    "complete -c classicphotos -n '\(condition)' -a \(word) -d \(summary.quoted(for: .fish))")
            }
        }
        for command in commands {
            let condition = command.name.split(separator: " ").map { "__fish_seen_subcommand_from \($0)" }
                .joined(separator: "; and ")
            let prefix = "complete -c classicphotos -n '\(condition)'"
            if let action = Self.action(CompletedValue(command.parser.arguments)) {
                lines.append("\(prefix) \(action)")
            }
            for option in command.parser.options {
                let names = "-l \(option.name)" + (option.short.map { " -s \($0)" } ?? "")
                let valueName = option.isValueOptional ? nil : option.valueName
                let value = valueName.map { " -r \(Self.action(CompletedValue($0)) ?? "-f")" } ?? ""
                lines.append("\(prefix) \(names)\(value) -d \(option.help.quoted(for: .fish))")
            }
        }
        script = lines.joined(separator: "\n") + "\n"
    }

    private static func action(_ value: CompletedValue) -> String? {
        switch value {
        case .folder: "-f -a '(__fish_complete_directories)'"
        case .file: "-F"
        case .words(let words): "-f -a '\(words.joined(separator: " "))'"
        case .anything: nil
        }
    }
}
