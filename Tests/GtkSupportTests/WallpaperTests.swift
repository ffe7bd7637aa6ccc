import CAtspi
import Foundation
import ImageCodecs
import Pixels
import XCTest

/// A photo as the desktop's wallpaper, through a portal that stands for the desktop's.
final class WallpaperTests: GtkTestCase {
    func testThePhotoWithItsLookIsOfferedToTheDesktop() throws {
        try MainActor.assumeIsolated {
            let reader = try Reader(program: "classicphotos-app")
            guard let portal = DesktopPortal() else { throw XCTSkip("there is no message bus (dbus-daemon)") }
            defer { portal.end() }
            let folder = FileManager.default.temporaryDirectory.appending(path: "classicphotos-wall-\(UUID())")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            defer { try? FileManager.default.removeItem(at: folder) }
            let photos = folder.appending(path: "photos")
            try FileManager.default.createDirectory(at: photos, withIntermediateDirectories: true)
            let image = PixelBuffer(size: PixelSize(width: 80, height: 60))
            try ImageEncoder(format: .png).encode(image).write(to: photos.appending(path: "one.png"))
            let app = try AppRun(
                [photos.path], isReadable: true, environment: ["XDG_DATA_HOME": folder.path])
            let person = Person(reader: reader, app: app)
            try person.waitForRow("one.png, Done")
            let kept = folder.appending(path: "classicphotos")
            func files() -> [String] { (try? FileManager.default.contentsOfDirectory(atPath: kept.path)) ?? [] }

            try Self.choose(person, reader)
            try person.wait("the answer") { person.sees("The desktop has taken the photo as its wallpaper.") }
            let asked = try XCTUnwrap(portal.wallpapers.first)
            XCTAssertTrue(asked.showsPreview)
            XCTAssertEqual(
                asked.parent, "x11:" + String(try Screen.number(ofWindow: "Classic Photos"), radix: 16),
                "the desktop's question lies over the window")
            XCTAssertEqual(try ImageDecoder.decode(asked.content, longestSide: nil).size, image.size)
            let first = files()
            XCTAssertEqual(first.count, 1, "some desktops read it there")

            portal.response = 1
            try Self.choose(person, reader)
            try person.wait("the answer") { person.sees("The wallpaper is the same as before.") }
            XCTAssertEqual(files(), first)

            for (response, reason) in [(UInt32?.some(2), "The desktop gave no reason."), (nil, "No screen")] {
                portal.response = response
                try Self.choose(person, reader)
                try person.wait("the refusal") { person.sees("The Wallpaper Was Not Set") && person.sees(reason) }
                try Screen.focusTopWindow()
                try Screen.key("Escape")
                try person.wait("its end") { try Screen.windowCount() == 1 }
                try person.focus()
            }
            XCTAssertEqual(files(), first)
            try person.close()
        }
    }

    func testItIsOfferedOnlyWhereTheDesktopHasIt() throws {
        try MainActor.assumeIsolated {
            let reader = try Reader(program: "classicphotos-app")
            let sample = Translations.root.appending(path: "data/sample.csv").path
            let person = Person(reader: reader, app: try AppRun([sample], isReadable: true))
            try person.waitForRow("Morning Mist, Done")
            try Self.openMenu(person, reader)
            XCTAssertFalse(person.sees(Self.entry, inRow: ""))
            try Screen.key("Escape")
            guard let portal = DesktopPortal() else { throw XCTSkip("there is no message bus (dbus-daemon)") }
            try Self.openMenu(person, reader)
            try person.wait("the entry") { person.sees(Self.entry, inRow: "") }
            try Screen.key("Escape")
            portal.end()
            try Self.openMenu(person, reader)
            try person.wait("its end") { !person.sees(Self.entry, inRow: "") }
            try Screen.key("Escape")
            try person.close()
        }
    }

    // MARK: Helpers

    private static let entry = "Set as Wallpaper…"

    /// Opens the menu of the first photo, by keys.
    @MainActor private static func openMenu(_ person: Person, _ reader: Reader) throws {
        try person.focus()
        try person.keys("Home", "shift+F10")
        try person.wait("the menu") { person.sees("Save As…", inRow: "") }
    }

    /// Chooses the entry in the photo's menu.
    @MainActor private static func choose(_ person: Person, _ reader: Reader) throws {
        try openMenu(person, reader)
        try person.go(by: "Down", to: entry, inRow: "")
        try Screen.key("Return")
    }
}
