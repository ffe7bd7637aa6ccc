import Wording

/// `classicphotos completion`: what makes a shell complete this program's commands and options.
enum CompletionCommand {
    static let parser = OptionParser(
        command: "classicphotos completion",
        arguments: "SHELL",
        summary: "Writes the completions for a shell to standard output: bash, zsh or fish.",
        details: """
            `make install` puts them where the shells look for them. To try them at once:
              bash   source <(classicphotos completion bash)
              zsh    source <(classicphotos completion zsh)
              fish   classicphotos completion fish | source
            """)

    static func run(arguments: [String]) -> ExitStatus {
        do throws(UsageError) {
            guard let values = try parser.read(arguments) else { return .success }
            guard values.arguments.count == 1 else { throw UsageError("which shell? One of \(Shell.names)") }
            guard let shell = Shell(rawValue: values.arguments[0]) else {
                let name = values.arguments[0]
                let hint = Suggestion.text(for: name, among: Shell.allCases.map(\.rawValue))
                let others = hint.isEmpty ? tr("; there are \(Shell.names)") : hint
                throw UsageError("there are no completions for \(name.printable)\(others)")
            }
            Console.output(shell.completions(for: Program.commands))
            return .success
        } catch {
            return Console.usageError(error, command: "completion")
        }
    }
}
