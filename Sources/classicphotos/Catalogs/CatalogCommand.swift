import Wording

/// `classicphotos catalog`: what is wrong with a catalog, and the same catalog in another format.
enum CatalogCommand {
    static func run(arguments: [String]) async -> ExitStatus {
        switch arguments.first {
        case "check": return await CatalogCheck.run(arguments: Array(arguments.dropFirst()))
        case "convert": return await CatalogConversion.run(arguments: Array(arguments.dropFirst()))
        case "-h", "--help":
            Console.output(CatalogCheck.parser.help + "\n" + CatalogConversion.parser.help)
            return .success
        case let other: return Console.usageError(UsageError(verbatim: problem(with: other)), command: "catalog")
        }
    }

    private static func problem(with word: String?) -> String {
        guard let word else { return tr("check or convert?") }
        let hint = Suggestion.text(for: word, among: ["check", "convert"])
        return tr("there is no \(word.printable)\(hint.isEmpty ? tr("; there are check and convert") : hint)")
    }
}
