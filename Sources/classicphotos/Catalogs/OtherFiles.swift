import PhotoDevelopment
import PhotoPipeline
import Wording

/// The files of a folder that has no picture of a kind that is read: raw files of a camera, say.
struct OtherFiles {
    private let count: Int
    /// The endings of their names, the most frequent ones first.
    private let endings: [String]

    /// - Parameter catalog: The catalog of a folder without pictures.
    /// - Returns: Nil where there are no files.
    init?(of catalog: Catalog) {
        let files = LeftOutFile.files(beside: catalog).filter { $0.reason == .notAnImage }
        guard !files.isEmpty else { return nil }
        count = files.count
        var counts: [String: Int] = [:]
        for file in files {
            let parts = file.name.split(separator: "/").last?.split(separator: ".") ?? []
            if parts.count > 1, let ending = parts.last { counts["." + ending.lowercased(), default: 0] += 1 }
        }
        endings = counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map(\.key)
    }

    private static let mostEndings = 3

    /// What is said of them.
    ///
    /// - Parameter folder: What the folder is called.
    func sentence(_ folder: String) -> Message {
        let shown = endings.prefix(Self.mostEndings) + (endings.count > Self.mostEndings ? ["…"] : [])
        let kinds = shown.isEmpty ? "" : " (\(shown.joined(separator: ", ").printable))"
        let files = CountedMessage(count, "1 file of another kind", "\(count) files of other kinds")
        return "There is no picture that can be read in \(folder), only \(files)\(kinds)."
    }
}
