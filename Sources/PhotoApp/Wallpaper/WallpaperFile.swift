import CGtk
import Foundation

/// The file of a photo that is to be the wallpaper. Some desktops go on to read it where it lies.
struct WallpaperFile {
    /// Where it is.
    let path: String
    private static let prefix = "wallpaper-"

    /// A file that is not there yet, in the person's folder for what programs keep.
    init() throws {
        try FileManager.default.createDirectory(at: Self.folder, withIntermediateDirectories: true)
        // Another name each time: a desktop that knows a name would not look into the file again.
        path = Self.folder.appending(path: "\(Self.prefix)\(UUID().uuidString).jpg").path
    }

    private static var folder: URL {
        URL(filePath: String(cString: g_get_user_data_dir())).appending(path: "classicphotos")
    }

    /// Keeps it, and none of those before it.
    func keep() {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: Self.folder.path)) ?? []
        for name in names where name.hasPrefix(Self.prefix) {
            let other = Self.folder.appending(path: name)
            if other.path != path { try? FileManager.default.removeItem(at: other) }
        }
    }

    /// Removes it: nobody wants it.
    func remove() { try? FileManager.default.removeItem(atPath: path) }
}
