import PhotoDevelopment
import Wording

/// What people read about the files of a folder that are left out.
enum LeftOutText {
    /// How many there are, of the kinds that somebody may miss.
    ///
    /// - Parameter isNamed: Whether ``lines(_:of:)`` has named them, or never does.
    static func counts(_ files: [LeftOutFile], isNamed: Bool) -> [String] {
        let results = files.count { $0.reason == .result }
        let others = files.count { $0.reason == .notAnImage }
        var lines: [String] = []
        if results > 0 { lines.append(tr("\(results) left out, which earlier runs made in the same folder")) }
        if others > 0 {
            let hint = isNamed ? "" : tr("; --verbose names what is left out")
            lines.append(
                tr(
                    others, "1 file of the folder is no picture of a kind that is read",
                    "\(others) files of the folder are no pictures of a kind that is read") + hint)
        }
        return lines + folders(files)
    }

    /// How many folders inside are not looked through, whose pictures somebody may miss; nothing where all are.
    static func folders(_ files: [LeftOutFile]) -> [String] {
        let count = files.count { $0.reason == .folder }
        guard count > 0 else { return [] }
        return [
            tr(
                count, "1 folder was not looked through; --recursive takes its pictures",
                "\(count) folders were not looked through; --recursive takes their pictures")
        ]
    }

    /// A line for each, with the reason.
    static func lines(_ files: [LeftOutFile], of folder: String) -> String {
        files.map { tr("left out: \(folder.printable)/\($0.name.printable): \(reason($0.reason))") + "\n" }.joined()
    }

    private static func reason(_ reason: LeftOutFile.Reason) -> String {
        switch reason {
        case .result: tr("made by an earlier run")
        case .contactSheet: tr("the contact sheet of an earlier run")
        case .notAnImage: tr("its ending is not that of a picture that is read")
        case .hidden: tr("hidden")
        case .folder, .folderLink: tr("a folder; --recursive looks through those that are no links")
        case .resultFolder: tr("a folder that a run writes to")
        case .unreadable: tr("cannot be read")
        case .notAFile: tr("a device, a pipe or a socket")
        case .brokenLink: tr("a link that leads nowhere")
        }
    }
}
