import PhotoDevelopment
import PhotoPipeline
import Wording

/// The files of a folder whose pictures are all of kinds that are not read: raw files of a camera, say.
struct OtherFiles {
    private let count: Int
    /// The endings of their names, the most frequent ones first.
    private let endings: [String]

    /// - Parameter catalog: The catalog of a folder without pictures.
    /// - Returns: Nil where none of its files is a picture.
    init?(of catalog: Catalog) {
        let files = LeftOutFile.files(beside: catalog).filter { $0.reason == .notAnImage }
        guard !files.isEmpty else { return nil }
        count = files.count
        var counts: [String: Int] = [:]
        for file in files {
            let parts = file.name.split(separator: "/").last?.split(separator: ".") ?? []
            if parts.count > 1, let ending = parts.last { counts["." + ending.lowercased(), default: 0] += 1 }
        }
        guard counts.keys.contains(where: Self.unreadPictures.contains) else { return nil }
        endings = counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map(\.key)
    }

    private static let mostEndings = 3
    /// Raw files of cameras, and what programs write that edit pictures.
    private static let unreadPictures: Set = [
        ".arw", ".cr2", ".cr3", ".crw", ".dng", ".erf", ".nef", ".nrw", ".orf", ".pef", ".raf", ".raw", ".rw2", ".srw",
        ".x3f",
        ".ai", ".bmp", ".eps", ".ico", ".jp2", ".psd", ".tga", ".xcf",
    ]

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
