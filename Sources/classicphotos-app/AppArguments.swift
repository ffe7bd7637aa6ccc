import CGtk
import PhotoApp
import PhotoBrowser

/// What the program was started with.
enum AppArguments {
    /// Open a window, with what was named.
    case open(OpenRequest?)
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
        Where the program runs already, it opens a window with them, and this start of it ends.

        Options:
          -h, --help      show this help
          --version       show the version

        """

    static func parse(_ arguments: [String]) -> AppArguments {
        var operands: [String] = []
        var takesOptions = true
        var rest = arguments[...]
        while let argument = rest.popFirst() {
            switch argument {
            case "--" where takesOptions: takesOptions = false
            case "-h" where takesOptions, "--help" where takesOptions: return .help
            case "--version" where takesOptions: return .version
            case _ where takesOptions && argument.hasPrefix("-") && argument != "-":
                return .wrong("there is no option \(argument)")
            default: operands.append(argument)
            }
        }
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
        return PhotoApp.argument(for: file) ?? argument
    }
}
