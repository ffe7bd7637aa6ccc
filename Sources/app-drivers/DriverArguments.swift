import PhotoBrowser
import PhotoPipeline

/// What the drivers were started with.
enum DriverArguments {
    /// Scroll through a catalog by a script, print what was measured, and end.
    case scroll(Catalog.Source, LoadingStrategy)
    /// Use the program at random, look at what it shows, and end.
    case soak(Soak.Options)
    /// Say what is wrong.
    case wrong(String)

    static let usage = """
        Usage:
          app-drivers scroll CATALOG [--strategy NAME]
              scroll through CATALOG by a script, print what was measured as JSON, and end; photos are loaded
              meanwhile by the strategy visible (the default), eager or blocking
          app-drivers soak FOLDER [--seed N] [--seconds N]
              use the app at random with the catalogs of FOLDER, look at what it shows, and close the window;
              Scripts/soak makes such a folder; the defaults are seed 1 and 60 seconds
        """

    static func parse(_ arguments: [String]) -> DriverArguments {
        guard arguments.count >= 2 else { return .wrong("there is nothing to do") }
        var strategy = LoadingStrategy.visible
        var soak = Soak.Options(folder: arguments[1])
        var rest = arguments[2...]
        while let option = rest.popFirst() {
            let value = rest.popFirst() ?? ""
            switch option {
            case "--strategy":
                guard let named = LoadingStrategy(rawValue: value) else {
                    return .wrong("--strategy takes visible, eager or blocking")
                }
                strategy = named
            case "--seed":
                guard let number = UInt64(value) else { return .wrong("--seed takes a number") }
                soak.seed = number
            case "--seconds":
                guard let number = Double(value) else { return .wrong("--seconds takes a number") }
                soak.seconds = number
            default: return .wrong("there is no option \(option)")
            }
        }
        switch arguments[0] {
        case "scroll": return .scroll(Catalog.Source(argument: arguments[1]), strategy)
        case "soak": return .soak(soak)
        default: return .wrong("there is no driver \(arguments[0])")
        }
    }
}
