import PhotoDevelopment

/// What people read about the files of a folder that are left out.
enum LeftOutText {
    /// How many there are, of the kinds that somebody may miss.
    ///
    /// - Parameter isNamed: Whether ``lines(_:of:)`` has named them.
    static func counts(_ files: [LeftOutFile], isNamed: Bool) -> [String] {
        let results = files.count { $0.reason == .result }
        let others = files.count { $0.reason == .notAnImage }
        var lines: [String] = []
        if results > 0 { lines.append("\(results) left out, which earlier runs made in the same folder") }
        if others > 0 {
            let subject =
                others == 1 ? "1 file of the folder is no picture" : "\(others) files of the folder are no pictures"
            let hint = isNamed ? "" : "; --verbose names what is left out"
            lines.append(subject + " of a kind that is read" + hint)
        }
        return lines
    }

    /// A line for each, with the reason.
    static func lines(_ files: [LeftOutFile], of folder: String) -> String {
        files.map { "left out: \(folder.printable)/\($0.name.printable): \(reason($0.reason))\n" }.joined()
    }

    private static func reason(_ reason: LeftOutFile.Reason) -> String {
        switch reason {
        case .result: "made by an earlier run"
        case .contactSheet: "the contact sheet of an earlier run"
        case .notAnImage: "its ending is not that of a picture that is read"
        case .hidden: "hidden"
        case .folder: "a folder; --recursive looks through those that are no links"
        case .unreadable: "cannot be read"
        case .notAFile: "a device, a pipe or a socket"
        case .brokenLink: "a link that leads nowhere"
        }
    }
}
