import Glibc
import PhotoPipeline
import Wording

/// The program: finds the command that is meant and runs it.
enum Program {
    static let commands = [
        Command(
            name: "develop", usage: "CATALOG --output DIR", summary: "develop all photos of a catalog into a folder",
            parser: DevelopArguments.parser),
        Command(
            name: "report", usage: "DIR", summary: "write what has become of the photos of a run",
            parser: ReportCommand.parser),
        Command(
            name: "plan", usage: "CATALOG --output PLAN", summary: "cut a catalog into tasks for many machines",
            parser: PlanCommand.parser),
        Command(
            name: "status", usage: "DIR", summary: "say how far the tasks of a plan have come",
            parser: StatusCommand.parser),
        Command(
            name: "merge", usage: "DIR", summary: "publish the shards of a plan as one data set",
            parser: MergeCommand.parser),
        Command(
            name: "verify", usage: "DIR", summary: "compare the shards of a plan with what was committed",
            parser: VerifyCommand.parser),
        Command(name: "filter", usage: "IN OUT", summary: "filter one local picture", parser: FilterArguments.parser),
        Command(
            name: "catalog check", usage: "CATALOG", summary: "say what is wrong with a catalog",
            parser: CatalogCheck.parser),
        Command(
            name: "catalog convert", usage: "IN OUT", summary: "write a catalog in another format",
            parser: CatalogConversion.parser),
        Command(
            name: "completion", usage: "SHELL", summary: "write completions for bash, zsh or fish",
            parser: CompletionCommand.parser),
    ]

    /// The options that may stand in a command's place.
    static let options = [
        OptionTable.Option(
            name: "help", short: "h", help: "show this help; with a command, that command's", valueName: nil),
        OptionTable.Option(name: "version", short: nil, help: "show the version", valueName: nil),
        OptionTable.Option(name: "list-looks", short: nil, help: "list the names that --look takes", valueName: nil),
    ]

    private static let help = """
        \(tr("Usage:"))
          classicphotos COMMAND [OPTION…]

        \(tr("Develops lists of photographs: downloads, filters and writes every one."))

        \(tr("Commands:"))
        \(commandList)

        \(tr("Options:"))
        \(optionList)

        \(tr("Try:"))
          classicphotos develop photos.csv --output pictures
          classicphotos help develop

        """

    private static var commandList: String {
        columns(commands.map { ("\($0.name) \($0.usage)", Translation.text($0.summary)) })
    }

    private static var optionList: String {
        columns(options.map { (($0.short.map { "-\($0), " } ?? "") + "--\($0.name)", Translation.text($0.help)) })
    }

    private static func columns(_ rows: [(String, String)]) -> String {
        let width = rows.map(\.0.count).max() ?? 0
        return rows.map { "  " + $0 + String(repeating: " ", count: width - $0.count + 3) + $1 }.joined(separator: "\n")
    }

    /// Swift has put something else in the place of bytes that are no text, and another file would be meant.
    private static var argumentsAreText: Bool {
        CommandLine.arguments.allSatisfy { !$0.unicodeScalars.contains("\u{FFFD}") }
    }

    static func run(arguments: [String]) async -> ExitStatus {
        guard argumentsAreText else {
            Console.problem("an argument is not UTF-8 text")
            return .usage
        }
        guard let command = arguments.first else {
            Console.error(help)
            return .usage
        }
        let rest = Array(arguments.dropFirst())
        switch command {
        case "develop": return await DevelopCommand.run(arguments: rest)
        case "report": return ReportCommand.run(arguments: rest)
        case "plan": return PlanCommand.run(arguments: rest)
        case "status": return StatusCommand.run(arguments: rest)
        case "merge": return await MergeCommand.run(arguments: rest)
        case "verify": return VerifyCommand.run(arguments: rest)
        case "filter": return await FilterCommand.run(arguments: rest)
        case "catalog": return await CatalogCommand.run(arguments: rest)
        case "completion": return CompletionCommand.run(arguments: rest)
        case "help": return await help(with: rest)
        case "-h", "--help":
            Console.output(help)
            return .success
        case "--list-looks":
            ImageOptions.listLooks()
            return .success
        case "--version":
            Console.output("classicphotos \(PhotoPipeline.version)\n")
            return .success
        default: return unknown(command)
        }
    }

    /// The help of a command that is named by its words, or of the program.
    private static func help(with words: [String]) async -> ExitStatus {
        guard !words.isEmpty else { return await run(arguments: ["--help"]) }
        let name = words.joined(separator: " ")
        let isGroup = Command.groups(of: commands).contains { $0.word == name }
        guard isGroup || commands.contains(where: { $0.name == name }) else { return unknown(name) }
        return await run(arguments: words + ["--help"])
    }

    private static func unknown(_ word: String) -> ExitStatus {
        let isOption = word.hasPrefix("-")
        let known =
            isOption
            ? options.map { "--\($0.name)" } : Command.firstWords(of: commands) + commands.map(\.name) + ["help"]
        let hint = Suggestion.text(for: word, among: known)
        Console.problem(
            isOption
                ? "there is no option \(word.printable)\(hint)" : "there is no command \(word.printable)\(hint)")
        Console.tell("Try: classicphotos --help")
        return .usage
    }
}
