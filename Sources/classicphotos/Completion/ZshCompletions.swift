/// Completions in the form of zsh.
struct ZshCompletions {
    let script: String

    init(_ commands: [Command]) {
        let firstWords = Command.firstWords(of: commands).map { word in
            let summary = commands.first { $0.name == word }?.summary ?? "work with \(word)s"
            return "'\(word)[\(Self.escaped(summary))]'"
        }
        let options = Program.options.map { "'--\($0.name)[\(Self.escaped($0.help))]'" }
        var lines = [
            "#compdef classicphotos",
            "# Completions of classicphotos for zsh.",
            "_classicphotos() {",
            "    if (( CURRENT == 2 )); then",
            "        _values command \((firstWords + ["'help[show the help of a command]'"] + options).joined(separator: " "))",
            "        return",
            "    fi",
            "    local command=$words[2]",
        ]
        for (group, words) in Command.groups(of: commands) {
            lines += [
                "    if [[ $command == \(group) ]]; then",
                "        if (( CURRENT == 3 )); then",
                "            _values command \(words.joined(separator: " ")) --help",
                "            return",
                "        fi",
                #"        command="$command $words[3]""#,
                "        shift words",
                "        (( CURRENT -= 1 ))",
                "    fi",
            ]
        }
        lines += ["    shift words", "    (( CURRENT -= 1 ))", "    case $command in"]
        for command in commands {
            var arguments = command.parser.options.flatMap(Self.specifications)
            arguments.append("'*:\(command.parser.arguments):\(Self.action(CompletedValue(command.parser.arguments)))'")
            lines.append("    '\(command.name)') _arguments -s \(arguments.joined(separator: " ")) ;;")
        }
        let words = Command.firstWords(of: commands).joined(separator: " ")
        lines += [
            "    help) _arguments '1:command:(\(words))' ;;",
            "    esac", "}",
            // In a folder of functions the file is the function's body; sourced, it has to be made known.
            #"if [[ $funcstack[1] == _classicphotos ]]; then _classicphotos "$@"; else compdef _classicphotos classicphotos; fi"#,
            "",
        ]
        script = lines.joined(separator: "\n")
    }

    private static func specifications(_ option: OptionTable.Option) -> [String] {
        let help = "[\(escaped(option.help))]"
        let value = option.valueName.map { ":\($0):\(action(CompletedValue($0)))" } ?? ""
        if option.isValueOptional { return ["'--\(option.name)=-\(help):\(value)'"] }
        let long = "'\(option.isRepeatable ? "*" : "")--\(option.name)\(value.isEmpty ? "" : "=")\(help)\(value)'"
        return [long] + (option.short.map { ["'-\($0)\(value.isEmpty ? "" : "+")\(help)\(value)'"] } ?? [])
    }

    private static func action(_ value: CompletedValue) -> String {
        switch value {
        case .folder: "_files -/"
        case .file: "_files"
        case .words(let words): "(\(words.joined(separator: " ")))"
        case .anything: " "
        }
    }

    /// Text between brackets inside single quotes.
    private static func escaped(_ text: String) -> String {
        text.reduce(into: "") { escaped, character in
            switch character {
            case "[", "]", ":", "\\": escaped += "\\\(character)"
            case "'": escaped += "'\\''"
            default: escaped.append(character)
            }
        }
    }
}
