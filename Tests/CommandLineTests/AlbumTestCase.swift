import Foundation
import ImageCodecs

/// A folder of pictures with folders inside.
class AlbumTestCase: DevelopTestCase {
    var album: URL { folder.appending(path: "album") }

    /// Writes a picture for each path in the album that ends as one does, and text for the others.
    func write(_ names: [String]) throws {
        for name in names {
            let file = album.appending(path: name)
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try (name.hasSuffix("jpg") ? Self.image(.jpeg) : Data("no picture".utf8)).write(to: file)
        }
    }
}
