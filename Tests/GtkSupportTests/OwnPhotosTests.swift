import CAtspi
import Foundation
import ImageCodecs
import Pixels
import XCTest

/// Photos of one's own, from folders and files: they are shown as they are, unless their owner wants a look for them.
final class OwnPhotosTests: GtkTestCase {
    static let red: [UInt8] = [220, 40, 40]

    func testOwnPhotosAreShownAsTheyAreAndKeepALookOfTheirOwn() throws {
        try MainActor.assumeIsolated {
            try Self.withPhotos { photos, folder in
                let settings = folder.appending(path: "settings")
                let catalog = folder.appending(path: "catalog.csv")
                try Data("name,url\nOne,photos/one.png\n".utf8).write(to: catalog)
                let person = try Self.start([photos.path], settings)
                try person.waitForRow("two.png, Done")
                try person.waitForPixels(Self.red)
                XCTAssertTrue(person.sees("2 photos · Original"), "what is done to them is said")
                try person.press("Look") { person.sees("Black and White") }
                try person.keys("Right")
                try person.wait("the look") { person.sees("2 photos · Black and White") }
                try person.waitForPixels(Self.filtered(FilterChain([.grayscale(1)])))
                try person.keys("Escape")
                try person.focus()
                try person.close()
                // A catalog has its own, and the next start knows both.
                for (argument, text) in [(photos, "2 photos · Black and White"), (catalog, "1 photo · Classic")] {
                    let next = try Self.start([argument.path], settings)
                    try next.wait("the look that was chosen") { next.sees(text) }
                    try next.waitForPixels(
                        Self.filtered(argument == catalog ? .classic : FilterChain([.grayscale(1)])))
                    try next.close()
                }
            }
        }
    }

    func testASinglePictureIsOnesOwnToo() throws {
        try MainActor.assumeIsolated {
            try Self.withPhotos { photos, folder in
                let person = try Self.start(
                    [photos.appending(path: "one.png").path], folder.appending(path: "settings"))
                try person.wait("the picture in large") { person.sees("one.png, Done", role: ATSPI_ROLE_IMAGE) }
                try person.waitForPixels(Self.red)
                try person.close()
            }
        }
    }

    func testAPhotoThatIsThereSaysNothingOfItsState() throws {
        try MainActor.assumeIsolated {
            try Self.withPhotos { photos, folder in
                let person = try Self.start([photos.path], folder.appending(path: "settings"))
                try person.waitForRow("one.png, Done")
                XCTAssertTrue(person.sees("one.png", role: ATSPI_ROLE_LABEL, inRow: "one.png,"))
                XCTAssertFalse(person.sees("Done", role: ATSPI_ROLE_LABEL, inRow: "one.png,"))
                try person.close()
            }
        }
    }

    func testPicturesAreAsSharpAsTheScreen() throws {
        try MainActor.assumeIsolated {
            try Self.withPhotos { photos, folder in
                // Black and white lines, each as wide as a pixel of a screen with two for each of the window's.
                let size = PixelSize(width: 352, height: 264)
                let lines = PixelBuffer(uninitialized: size, isOpaque: true) { bytes in
                    for index in bytes.indices {
                        let column = index / 4 % size.width
                        bytes[index] = index % 4 == 3 || column % 4 < 2 ? 255 : 0
                    }
                }
                try ImageEncoder(format: .png).encode(lines).write(to: photos.appending(path: "a.png"))
                let settings = folder.appending(path: "settings/classicphotos")
                try FileManager.default.createDirectory(at: settings, withIntermediateDirectories: true)
                try Data("[window]\nlayout=grid\n".utf8).write(to: settings.appending(path: "app.ini"))
                let app = try AppRun(
                    [photos.path], settings: settings.deletingLastPathComponent(), isReadable: true,
                    environment: ["GDK_SCALE": "2"])
                let person = Person(reader: try Reader(program: "classicphotos-app"), app: app)
                try person.waitForRow("a.png, Done")
                try person.wait("sharp lines") {
                    let capture = [UInt8](try Screen.capture(["-depth", "8", "rgb:-"]))
                    // Of each row of the screen the longest run of two black and two white pixels.
                    var best = 0
                    for y in stride(from: 0, to: 1024, by: 8) {
                        var run = 0
                        for x in 0..<1276 {
                            let start = (y * 1280 + x) * 3
                            let four = (0..<4).map { capture[start + $0 * 3] }
                            if four == [255, 255, 0, 0] || four == [0, 0, 255, 255] || four == [255, 0, 0, 255]
                                || four == [0, 255, 255, 0]
                            {
                                run += 1
                                best = max(best, run)
                            } else {
                                run = 0
                            }
                        }
                    }
                    return best > 300
                }
                try person.focus()
                try person.keys("ctrl+q")
                try person.end()
            }
        }
    }

    func testWhatIsThereAndCannotBeReadIsNotSaidToBeMissing() throws {
        try MainActor.assumeIsolated {
            try Self.withPhotos { photos, folder in
                try FileManager.default.createDirectory(
                    at: photos.appending(path: "folder.png"), withIntermediateDirectories: true)
                let catalog = folder.appending(path: "catalog.csv")
                let lines = ["name,url", "One,photos/one.png", "Two,photos/folder.png", "Three,photos/none.png", ""]
                try Data(lines.joined(separator: "\n").utf8).write(to: catalog)
                let person = try Self.start([catalog.path], folder.appending(path: "settings"))
                try person.waitForRow("One, Done")
                try person.waitForRow("Two, The file cannot be read")
                try person.waitForRow("Three, The file is not there")
                try person.close()
            }
        }
    }

    /// As small as GNOME wants every window to work.
    func testTheWindowFitsASmallScreen() throws {
        try MainActor.assumeIsolated {
            try Self.withPhotos { photos, folder in
                let settings = folder.appending(path: "settings/classicphotos")
                try FileManager.default.createDirectory(at: settings, withIntermediateDirectories: true)
                try Data("[window]\nwidth=360\nheight=294\n".utf8).write(to: settings.appending(path: "app.ini"))
                let person = try Self.start([photos.path], settings.deletingLastPathComponent())
                try person.waitForRow("one.png, Done")
                func check(_ what: String) throws {
                    let size = try Screen.size(ofWindow: "Classic Photos")
                    XCTAssertEqual([size.width, size.height], [360, 294], what)
                }
                try check("the photos")
                // What there is no room for the menu has.
                try person.press("Menu") { person.sees("View and order", role: ATSPI_ROLE_MENU_ITEM) }
                try person.keys("Escape", "Home")
                try person.press("one.png, Done") { person.numberInLarge(of: 2) == 1 }
                try check("the large view")
                try person.keys("Escape", "ctrl+f")
                try person.wait("the search") { person.sees("Search by name") }
                try check("the search")
                try person.keys("Escape", "F9")
                try person.wait("the panel, and photos above it") {
                    person.isOnScreen("Download queue", height: 294)
                        && person.isOnScreen("one.png, Done", height: 294)
                }
                try check("the panel")
                // Where there is room, its last lane is there, too.
                try person.keys("F9")
                try Screen.resize("Classic Photos", width: 900, height: 660)
                try person.keys("F9")
                try person.wait("the last lane") { person.isOnScreen("Image Filtration queue", height: 640) }
                try person.close()
            }
        }
    }

    // MARK: Helpers

    @MainActor static func withPhotos(_ body: (_ photos: URL, _ folder: URL) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "classicphotos-own-\(UUID())")
        let photos = folder.appending(path: "photos")
        try FileManager.default.createDirectory(at: photos, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        for name in ["one.png", "two.png"] {
            try ImageEncoder(format: .png).encode(image).write(to: photos.appending(path: name))
        }
        try body(photos, folder)
    }

    @MainActor static func start(_ arguments: [String], _ settings: URL) throws -> Person {
        Person(
            reader: try Reader(program: "classicphotos-app"),
            app: try AppRun(arguments, settings: settings, isReadable: true))
    }

    private static var image: PixelBuffer {
        let pixels = Array(repeatElement(red + [255], count: 400 * 300).joined())
        return PixelBuffer(uninitialized: PixelSize(width: 400, height: 300), isOpaque: true) {
            $0.copyBytes(from: pixels)
        }
    }

    static func filtered(_ chain: FilterChain) -> [UInt8] {
        var image = image
        chain.apply(to: &image)
        return image.withUnsafeBytes { Array($0.prefix(3)) }
    }
}
