import PhotoBrowser
import PhotoPipeline

/// What the program was started with.
enum AppArguments {
    /// Open a window, with a catalog if one was named.
    case open(Catalog.Source?)
    /// Scroll through a catalog by a script, print what was measured, and end.
    case scroll(Catalog.Source, LoadingStrategy)
    /// Say what the program understands.
    case help
    /// Say which version this is.
    case version
    /// Say what is wrong.
    case wrong(String)

    static let versionText = "0.1.0"
    static let helpText = """
        Usage:
          classicphotos-app [CATALOG]

        Shows a list of photographs: downloads and filters those that are on screen.
        CATALOG is a file, a folder, an http(s) address, or - for standard input.

        Options:
          -h, --help      show this help
          --version       show the version
          --scroll-benchmark
                          scroll through CATALOG by a script, print what was measured as JSON, and end
          --strategy NAME when photos are loaded meanwhile: visible (the default), eager or blocking

        """

    static func parse(_ arguments: [String]) -> AppArguments {
        var operands: [String] = []
        var takesOptions = true
        var isBenchmark = false
        var strategy = LoadingStrategy.visible
        var rest = arguments[...]
        while let argument = rest.popFirst() {
            switch argument {
            case "--" where takesOptions: takesOptions = false
            case "-h" where takesOptions, "--help" where takesOptions: return .help
            case "--version" where takesOptions: return .version
            case "--scroll-benchmark" where takesOptions: isBenchmark = true
            case "--strategy" where takesOptions:
                guard let named = rest.popFirst().flatMap({ LoadingStrategy(rawValue: $0) }) else {
                    return .wrong("--strategy takes visible, eager or blocking")
                }
                strategy = named
            case _ where takesOptions && argument.hasPrefix("-") && argument != "-":
                return .wrong("there is no option \(argument)")
            default: operands.append(argument)
            }
        }
        guard operands.count <= 1 else { return .wrong("one catalog at a time, not \(operands.count)") }
        if isBenchmark {
            guard let catalog = operands.first else { return .wrong("--scroll-benchmark needs a catalog") }
            return .scroll(Catalog.Source(argument: catalog), strategy)
        }
        return .open(operands.first.map { Catalog.Source(argument: $0) })
    }
}
