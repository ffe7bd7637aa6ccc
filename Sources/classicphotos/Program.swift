import Glibc

/// The program: finds the command that is meant and runs it.
enum Program {
    static let version = "0.1.0"

    private static let help = """
        Usage:
          classicphotos COMMAND [OPTION…]

        Develops lists of photographs: downloads, filters and writes every one.

        Commands:
          develop CATALOG --output DIR   develop all photos of a catalog into a folder
          filter IN OUT                  filter one local picture
          catalog check CATALOG          say what is wrong with a catalog
          catalog convert IN OUT         write a catalog in another format

        Options:
          -h, --help      show this help; with a command, that command's
          --version       show the version

        Try:
          classicphotos develop photos.csv --output pictures
          classicphotos develop --help

        """

    /// Swift has put something else in the place of bytes that are no text, and another file would be meant.
    private static var argumentsAreText: Bool {
        CommandLine.arguments.allSatisfy { !$0.unicodeScalars.contains("\u{FFFD}") }
    }

    static func run(arguments: [String]) async -> ExitStatus {
        guard argumentsAreText else {
            Console.error("classicphotos: an argument is not UTF-8 text\n")
            return .usage
        }
        guard let command = arguments.first else {
            Console.error(help)
            return .usage
        }
        switch command {
        case "develop": return await DevelopCommand.run(arguments: Array(arguments.dropFirst()))
        case "filter": return await FilterCommand.run(arguments: Array(arguments.dropFirst()))
        case "catalog": return await CatalogCommand.run(arguments: Array(arguments.dropFirst()))
        case "-h", "--help", "help":
            Console.output(help)
            return .success
        case "--version":
            Console.output("classicphotos \(version)\n")
            return .success
        default:
            let kind = command.hasPrefix("-") ? "option" : "command"
            Console.error("classicphotos: there is no \(kind) \(command.printable)\nTry: classicphotos --help\n")
            return .usage
        }
    }
}
