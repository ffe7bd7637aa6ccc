import CGtk
import PhotoBrowser
import PhotoPipeline

/// What the program was started with.
enum AppArguments {
    /// Open a window, with what was named.
    case open(OpenRequest?)
    /// Scroll through a catalog by a script, print what was measured, and end.
    case scroll(Catalog.Source, LoadingStrategy)
    /// Use the program at random, look at what it shows, and end.
    case soak(Soak.Options)
    /// Say what the program understands.
    case help
    /// Say which version this is.
    case version
    /// Say what is wrong.
    case wrong(String)

    static let helpText = """
        Usage:
          classicphotos-app [CATALOG | PICTURE-OR-FOLDER...]

        Shows a list of photographs: downloads and filters those that are on screen.
        CATALOG is a file, an http(s) address, or - for standard input. One picture is shown in large, among
        the others of its folder; of a folder the pictures in its subfolders are shown too.

        Options:
          -h, --help      show this help
          --version       show the version
          --scroll-benchmark
                          scroll through CATALOG by a script, print what was measured as JSON, and end
          --strategy NAME when photos are loaded meanwhile: visible (the default), eager or blocking
          --soak FOLDER   use the program at random with the catalogs of FOLDER, look at what it shows, and
                          close the window; Scripts/soak makes such a folder
          --seed N        what the random numbers begin with; the default is 1
          --seconds N     for how long; the default is 60

        """

    static func parse(_ arguments: [String]) -> AppArguments {
        var operands: [String] = []
        var takesOptions = true
        var isBenchmark = false
        var strategy = LoadingStrategy.visible
        var soak = Soak.Options(folder: "")
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
            case "--soak" where takesOptions:
                guard let folder = rest.popFirst() else { return .wrong("--soak needs a folder") }
                soak.folder = folder
            case "--seed" where takesOptions:
                guard let number = rest.popFirst().flatMap({ UInt64($0) }) else {
                    return .wrong("--seed takes a number")
                }
                soak.seed = number
            case "--seconds" where takesOptions:
                guard let number = rest.popFirst().flatMap({ Double($0) }) else {
                    return .wrong("--seconds takes a number")
                }
                soak.seconds = number
            case _ where takesOptions && argument.hasPrefix("-") && argument != "-":
                return .wrong("there is no option \(argument)")
            default: operands.append(argument)
            }
        }
        if isBenchmark {
            guard let catalog = operands.first, operands.count == 1 else {
                return .wrong("--scroll-benchmark needs a catalog")
            }
            return .scroll(Catalog.Source(argument: catalog), strategy)
        }
        if !soak.folder.isEmpty { return .soak(soak) }
        if operands.isEmpty { return .open(nil) }
        guard let request = OpenRequest(arguments: operands.map(localPath)) else {
            return .wrong("several files and folders are opened together, but neither addresses nor standard input")
        }
        return .open(request)
    }

    /// The path by which the desktop makes an address of another kind known, such as that of a file on a phone.
    private static func localPath(_ argument: String) -> String {
        let scheme = argument.prefix { $0 != ":" }.lowercased()
        guard argument.dropFirst(scheme.count).hasPrefix("://"), !["http", "https", "file"].contains(scheme),
            let file = g_file_new_for_uri(argument)
        else { return argument }
        defer { g_object_unref(UnsafeMutableRawPointer(file)) }
        return classicphotos_app.argument(for: file) ?? argument
    }
}
