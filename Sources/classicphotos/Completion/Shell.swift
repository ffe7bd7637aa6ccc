import ImageCodecs
import PhotoDevelopment
import PhotoPipeline
import Pixels

/// A shell that can complete what a person types.
enum Shell: String, CaseIterable {
    case bash, zsh, fish

    static var names: String { allCases.map(\.rawValue).joined(separator: ", ") }

    /// A script that teaches the shell the program's commands and options.
    func completions(for commands: [Command]) -> String {
        switch self {
        case .bash: BashCompletions(commands).script
        case .zsh: ZshCompletions(commands).script
        case .fish: FishCompletions(commands).script
        }
    }
}

/// What may stand in a place of the command line.
enum CompletedValue {
    case folder
    case file
    case words([String])
    case anything

    /// By the name that a value has in the help.
    init(_ name: String) {
        self =
            switch name {
            case "DIR", "PLAN": .folder
            case "FILE", "CATALOG", "IN OUT": .file
            case "FORMAT": .words(ImageEncoder.Format.allCases.map(\.rawValue))
            case "LAYOUT": .words(["files", "webdataset"])
            case "BY": .words(["address", "content"])
            case "MODE": .words(Resize.Mode.allCases.map(\.rawValue))
            case "PART": .words(Resize.Gravity.allCases.map(\.rawValue))
            case "CHROMA": .words(ImageEncoder.ChromaSubsampling.allCases.map(\.digits))
            case "KEPT": .words(["keep", "drop"])
            case "FORM": .words(DevelopmentReport.Format.allCases.map(\.rawValue))
            case "HOW": .words(["text", "json"])
            case "KIND": .words(CatalogText.Format.allCases.map(\.rawValue))
            case "NAME": .words(Look.allCases.map(\.rawValue))
            case "STYLE": .words(DevelopmentOptions.Names.allCases.map(\.rawValue))
            case "SHELL": .words(Shell.allCases.map(\.rawValue))
            default: .anything
            }
    }
}

extension String {
    /// In single quotes, as a shell of this kind reads it.
    func quoted(for shell: Shell) -> String {
        var quoted = "'"
        for character in self {
            switch (character, shell) {
            case ("'", .fish), ("\\", .fish): quoted += "\\\(character)"
            case ("'", _): quoted += "'\\''"
            default: quoted.append(character)
            }
        }
        return quoted + "'"
    }
}
