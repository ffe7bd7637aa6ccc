import PhotoPipeline

/// What the program was started with.
enum AppArguments {
    /// Open a window, with a catalog if one was named.
    case open(Catalog.Source?)
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

        """

    static func parse(_ arguments: [String]) -> AppArguments {
        var operands: [String] = []
        var takesOptions = true
        for argument in arguments {
            switch argument {
            case "--" where takesOptions: takesOptions = false
            case "-h" where takesOptions, "--help" where takesOptions: return .help
            case "--version" where takesOptions: return .version
            case _ where takesOptions && argument.hasPrefix("-") && argument != "-":
                return .wrong("there is no option \(argument)")
            default: operands.append(argument)
            }
        }
        guard operands.count <= 1 else { return .wrong("one catalog at a time, not \(operands.count)") }
        return .open(operands.first.map { Catalog.Source(argument: $0) })
    }
}
