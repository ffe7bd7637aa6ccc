/// Completions in the form of bash.
struct BashCompletions {
    let script: String

    init(_ commands: [Command]) {
        var lines = [
            "# Completions of classicphotos for bash.",
            "_classicphotos() {",
            #"    local word=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]} command=${COMP_WORDS[1]}"#,
            // Bash takes --name=value for three words.
            #"    if [ "$word" = = ]; then word="#,
            #"    elif [ "$previous" = = ]; then previous=${COMP_WORDS[COMP_CWORD - 2]}; fi"#,
            "    COMPREPLY=()",
            #"    if [ "$COMP_CWORD" -eq 1 ]; then"#,
            "        \(Self.reply(Command.firstWords(of: commands) + ["help"] + Program.options.map { "--\($0.name)" }))",
            "        return",
            "    fi",
        ]
        for (group, words) in Command.groups(of: commands) {
            lines += [
                #"    if [ "$command" = \#(group) ]; then"#,
                #"        if [ "$COMP_CWORD" -eq 2 ]; then"#,
                "            \(Self.reply(words + ["--help"]))",
                "            return",
                "        fi",
                #"        command="$command ${COMP_WORDS[2]}""#,
                "    fi",
            ]
        }
        lines.append("    case $command in")
        for command in commands { lines += Self.branch(command) }
        lines.append(#"    help) [ "$COMP_CWORD" -gt 2 ] || \#(Self.reply(Command.firstWords(of: commands))) ;;"#)
        lines += ["    esac", "}", "complete -o filenames -F _classicphotos classicphotos", ""]
        script = lines.joined(separator: "\n")
    }

    /// What follows one command.
    private static func branch(_ command: Command) -> [String] {
        var lines = ["    '\(command.name)')"]
        let valued = command.parser.options.filter { $0.valueName != nil && !$0.isValueOptional }
        if !valued.isEmpty {
            lines.append("        case $previous in")
            for option in valued {
                let names = ["--\(option.name)"] + (option.short.map { ["-\($0)"] } ?? [])
                let reply = reply(CompletedValue(option.valueName ?? ""))
                lines.append("        \(names.joined(separator: " | "))) \(reply); return ;;")
            }
            lines.append("        esac")
        }
        let names = command.parser.options.map { "--\($0.name)" }
        lines += [
            "        if [[ $word == -* ]]; then \(reply(names)); else \(reply(CompletedValue(command.parser.arguments))); fi",
            "        ;;",
        ]
        return lines
    }

    private static func reply(_ value: CompletedValue) -> String {
        switch value {
        case .folder: #"mapfile -t COMPREPLY < <(compgen -d -- "$word")"#
        case .file: #"mapfile -t COMPREPLY < <(compgen -f -- "$word")"#
        case .words(let words): reply(words)
        case .anything: ":"
        }
    }

    private static func reply(_ words: [String]) -> String {
        #"mapfile -t COMPREPLY < <(compgen -W "\#(words.joined(separator: " "))" -- "$word")"#
    }
}
