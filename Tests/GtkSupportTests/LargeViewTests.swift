import CAtspi
import CGtk
import Foundation
import GtkSupport
import ImageCodecs
import Pixels
import XCTest

@testable import PhotoApp

/// The large view, by the mouse.
final class LargeViewTests: GtkTestCase {
    static let red: [UInt8] = [220, 40, 40]
    private static let blue: [UInt8] = [30, 60, 210]

    func testAllThatKeysDoTheMouseDoesToo() throws {
        try MainActor.assumeIsolated {
            try Self.withPhotos { person in
                let fitting = try Screen.pixelCounts(of: [Self.red])[0]
                func share() throws -> Double { try Double(Screen.pixelCounts(of: [Self.red])[0]) / Double(fitting) }
                try person.press("Zoom in") { try share() > 1.3 }
                try person.press("Zoom out") { try share() < 1.1 }
                try person.press("Zoom in") { try share() > 1.3 }
                try person.press("Fit to the window") { try abs(share() - 1) < 0.02 }
                try person.press("Next photo") { person.numberInLarge(of: 2) == 2 }
                try person.waitForPixels(Self.blue, atLeast: 40_000)
                try person.press("Previous photo") { person.numberInLarge(of: 2) == 1 }
                _ = try Self.chooseBlackAndWhite(person)
            }
        }
    }

    /// A long name is cut, and leaves the buttons their room.
    func testALongNameLeavesTheButtonsThere() throws {
        try MainActor.assumeIsolated {
            let folder = FileManager.default.temporaryDirectory.appending(path: "classicphotos-large-\(UUID())")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            defer { try? FileManager.default.removeItem(at: folder) }
            let name = String(repeating: "a long name ", count: 12) + ".png"
            let file = folder.appending(path: name)
            try ImageEncoder(format: .png).encode(Self.image(of: Self.red)).write(to: file)
            let person = Person(
                reader: try Reader(program: "classicphotos-app"), app: try AppRun([file.path], isReadable: true))
            try person.wait("the picture") { person.sees("\(name), Done", role: ATSPI_ROLE_IMAGE) }
            try person.focus(title: "Classic Photos")
            try person.press("Information") { try Screen.windowCount() == 2 }
            try Screen.focusTopWindow()
            try Screen.key("Escape")
            try person.wait("the end of the dialog") { try Screen.windowCount() == 1 }
            try person.close()
        }
    }

    /// There is no window manager here that would make a window fill the screen.
    func testWhileThePictureFillsTheScreenTheHeaderIsThereForThePointerOnly() throws {
        try MainActor.assumeIsolated {
            let viewer = PhotoViewer()
            let window = try XCTUnwrap(gtk_window_new())
            gtk_window_set_child(cast(window), viewer.widget)
            XCTAssertTrue(viewer.isHeaderShown)
            viewer.isFullscreen = true
            XCTAssertFalse(viewer.isHeaderShown)
            viewer.showHeaderInFullscreen(true)
            XCTAssertTrue(viewer.isHeaderShown)
            viewer.showHeaderInFullscreen(false)
            XCTAssertFalse(viewer.isHeaderShown)
            viewer.isFullscreen = false
            XCTAssertTrue(viewer.isHeaderShown)
            viewer.showHeaderInFullscreen(false)
            XCTAssertTrue(viewer.isHeaderShown, "in a window it stays")
            viewer.looks.close()
            gtk_window_destroy(cast(window))
        }
    }

    func testThePictureHasTheMenuOfItsRow() throws {
        try MainActor.assumeIsolated {
            try Self.withPhotos { person in
                @MainActor func leaveMenu() throws {
                    try Screen.key("Escape")
                    try person.wait("the end of the menu") {
                        !person.sees("Copy Address", role: ATSPI_ROLE_MENU_ITEM)
                    }
                }
                try person.press("one.png, Done", isLarge: true, button: 3) {
                    person.sees("Copy Address", role: ATSPI_ROLE_MENU_ITEM)
                }
                try leaveMenu()
                for key in ["Menu", "shift+F10"] {
                    try person.keys(key)
                    try person.wait("the menu by \(key)") {
                        person.sees("Copy Address", role: ATSPI_ROLE_MENU_ITEM)
                    }
                    try leaveMenu()
                }
            }
        }
    }

    func testTheMenuIsThereByF10() throws {
        try MainActor.assumeIsolated {
            try Self.withPhotos { person in
                @MainActor func isMenuThere() -> Bool { person.sees("Copy Address", role: ATSPI_ROLE_MENU_ITEM) }
                @MainActor func leaveMenu() throws {
                    try Screen.key("Escape")
                    try person.wait("the end of the menu") { !isMenuThere() }
                }
                try person.keys("F10")
                try person.wait("the menu by F10") { isMenuThere() }
                try leaveMenu()
            }
        }
    }

    func testHomeAndEndLeadToTheFirstAndTheLastPhoto() throws {
        try MainActor.assumeIsolated {
            try Self.withPhotos { person, photos in
                try ImageEncoder(format: .png).encode(Self.image(of: Self.blue))
                    .write(to: photos.appending(path: "z.png"))
                try person.keys("shift+F5")
                try person.wait("three photos") { person.numberInLarge(of: 3) == 1 }
                try person.keys("End")
                try person.wait("the last one") { person.numberInLarge(of: 3) == 3 }
                try person.keys("Home")
                try person.wait("the first one") { person.numberInLarge(of: 3) == 1 }
            }
        }
    }

    func testTwoClicksShowTheActualSizeAndAllOfThePhotoAgain() throws {
        try MainActor.assumeIsolated {
            try Self.withPhotos { person in
                let fitting = try Self.makeSmall(person)
                let frame = try XCTUnwrap(person.frame(of: "one.png, Done", role: ATSPI_ROLE_IMAGE))
                let (x, y) = (180, frame.y + 60)
                try Screen.click(x: x, y: y, times: 2)
                try person.wait("the actual size") { try Self.redCount() > fitting + 1_000 }
                try Screen.click(x: x, y: y, times: 2)
                try person.wait("all of the photo") { try abs(Self.redCount() - fitting) < 500 }
            }
        }
    }

    func testCapsLockChangesNoKey() throws {
        try MainActor.assumeIsolated {
            try Self.withPhotos { person in
                try person.keys("Caps_Lock")
                defer { try? Screen.key("Caps_Lock") }
                try person.keys("n")
                try person.wait("the next one") { person.numberInLarge(of: 2) == 2 }
                try person.keys("l")
                try person.wait("the looks") { person.sees("Xpro2") }
                try person.keys("l")
                try person.wait("the end of the looks") { !person.sees("Xpro2") }
            }
        }
    }

    /// What a window was started with is where one is only at first.
    func testAReloadStaysWhereOneIs() throws {
        try MainActor.assumeIsolated {
            try Self.withPhotos { person, photos in
                // A new file tells that it is over.
                @MainActor func reload(adding name: String) throws {
                    try ImageEncoder(format: .png).encode(Self.image(of: Self.blue))
                        .write(to: photos.appending(path: name))
                    try person.keys("shift+F5")
                }
                try person.keys("Page_Down")
                try person.wait("the second one") { person.numberInLarge(of: 2) == 2 }
                try reload(adding: "z1.png")
                try person.wait("it once more") { person.numberInLarge(of: 3) == 2 }
                try person.keys("Escape")
                try person.waitForRow("z1.png, Done")
                try reload(adding: "z2.png")
                try person.waitForRow("z2.png, Done")
                XCTAssertNil(person.numberInLarge(of: 4))
            }
        }
    }

    /// What is done to a photo in large is done to the one that one sees, also where its place in the folder is another one by now.
    func testAReloadStaysAtThePhotoThatOneSees() throws {
        try MainActor.assumeIsolated {
            try Self.withPhotos { person, photos in
                try ImageEncoder(format: .png).encode(Self.image(of: Self.red)).write(
                    to: photos.appending(path: "before.png"))
                try person.keys("shift+F5")
                try person.wait("it at its new place") { person.numberInLarge(of: 3) == 2 }
                XCTAssertTrue(person.sees("one.png, Done", role: ATSPI_ROLE_IMAGE))
                try person.keys("Page_Down")
                try person.wait("the last one") { person.numberInLarge(of: 3) == 3 }
                try FileManager.default.removeItem(at: photos.appending(path: "two.png"))
                try person.keys("shift+F5")
                try person.wait("the other photos, none of them in large") {
                    person.rows == ["before.png, Done", "one.png, Done"]
                }
                XCTAssertNil(person.numberInLarge(of: 2))
            }
        }
    }

    func testTheDividerIsDraggedInThePicture() throws {
        try MainActor.assumeIsolated {
            try Self.withPhotos { person in
                let filtered = try Self.chooseBlackAndWhite(person)
                try Self.compare(person, with: filtered)
                let frame = try XCTUnwrap(person.frame(of: "one.png, Done", role: ATSPI_ROLE_IMAGE))
                let (middle, y) = (frame.x + frame.width / 2, frame.y + frame.height / 2)
                try person.wait("the divider on the right") {
                    try Screen.drag(fromX: middle, fromY: y, toX: frame.x + frame.width * 3 / 4, toY: y)
                    let counts = try Screen.pixelCounts(of: [Self.red, filtered])
                    return counts[0] > counts[1] * 3 / 2
                }
            }
        }
    }

    /// Who holds Space sees the published photo, also where the key is released in another window.
    func testTheLookIsBackWhereverSpaceIsReleased() throws {
        try MainActor.assumeIsolated {
            try Self.withPhotos { person in
                let filtered = try Self.chooseBlackAndWhite(person)
                // The button that offers looks would be pressed.
                let frame = try XCTUnwrap(person.frame(of: "one.png, Done", role: ATSPI_ROLE_IMAGE))
                try Screen.click(x: frame.x + frame.width / 2, y: frame.y + frame.height / 2)
                try person.wait("the keyboard at the picture") { person.isFocused("one.png, Done") }
                try Screen.hold("space")
                defer { try? Screen.release("space") }
                try person.waitForPixels(Self.red, atLeast: 40_000)
                try Screen.key("alt+Return")
                try person.wait("the information") { try Screen.windowCount() == 2 }
                try Screen.focusTopWindow()
                try Screen.release("space")
                try Screen.key("Escape")
                try person.wait("the end of the information") { try Screen.windowCount() == 1 }
                try person.focus()
                try person.waitForPixels(filtered, atLeast: 40_000)
            }
        }
    }

    /// Both pictures are found in memory.
    func testAPhotoThatIsOpenedAgainIsComparedToo() throws {
        try MainActor.assumeIsolated {
            try Self.withPhotos { person in
                let filtered = try Self.chooseBlackAndWhite(person)
                // Leaves the large view, and comes back.
                try person.keys("Escape")
                func isLarge() throws -> Bool { try Screen.pixelCounts(of: [filtered])[0] > 40_000 }
                try person.wait("the list") { try !isLarge() }
                try person.waitForRow("one.png, Done")
                try person.keys("Home")
                try person.keys("Return")
                try person.wait("the large view") { try isLarge() }
                try Self.compare(person, with: filtered)
            }
        }
    }

    func testMemoryGoesBackWhenTheLargeViewIsLeft() throws {
        try MainActor.assumeIsolated {
            let folder = FileManager.default.temporaryDirectory.appending(path: "classicphotos-large-\(UUID())")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            defer { try? FileManager.default.removeItem(at: folder) }
            let size = PixelSize(width: 2_800, height: 2_100)
            let large = PixelBuffer(uninitialized: size, isOpaque: true) { bytes in
                for index in bytes.indices { bytes[index] = UInt8(truncatingIfNeeded: index &* 7) }
            }
            let data = try ImageEncoder(format: .jpeg, quality: 60).encode(large)
            for number in 10..<30 { try data.write(to: folder.appending(path: "\(number).jpg")) }
            let app = try AppRun([folder.path], isReadable: true)
            let person = Person(reader: try Reader(program: "classicphotos-app"), app: app)
            try person.waitForRow("13.jpg, Done")
            try person.wait("the end of what rows need") { person.rows.allSatisfy { !$0.hasSuffix("…") } }
            let before = app.residentBytes
            var most = before
            try person.keys("Home")
            try person.press("10.jpg, Done") { person.numberInLarge(of: 20) == 1 }
            for number in 10..<30 {
                try person.wait("photo \(number)") { person.sees("\(number).jpg, Done", role: ATSPI_ROLE_IMAGE) }
                most = max(most, app.residentBytes)
                if number < 29 { try person.keys("Page_Down") }
            }
            XCTAssertGreaterThan(most - before, 100_000_000, "they were there")
            try person.keys("Escape")
            try person.wait("memory to go back, \(before) bytes before") {
                app.residentBytes - before < 60_000_000
            }
            let megabytes = [before, most, app.residentBytes].map { "\($0 / 1_000_000) MB" }
            print("memory before, with, and after twenty large photos: \(megabytes.joined(separator: ", "))")
            try person.close()
        }
    }

    // MARK: Helpers

    /// How many pixels of the screen are red, as the first picture is.
    static func redCount() throws -> Int { try Screen.pixelCounts(of: [red])[0] }

    /// Makes the window small, and waits until all of the picture is seen in it.
    /// - Returns: How many of its pixels there are on the screen.
    @MainActor static func makeSmall(_ person: Person) throws -> Int {
        try Screen.resize("Classic Photos", width: 360, height: 294)
        var fitting = 0
        try person.wait("the smaller picture") {
            let before = fitting
            fitting = try redCount()
            return fitting == before && (20_000..<95_000).contains(fitting)
        }
        return fitting
    }

    /// Looks at the first of two pictures of one's own, which are shown as they are.
    /// Somebody who sees the first of two photos in large, 400 × 300 pixels of red; the other one is blue.
    @MainActor static func withPhotos(_ body: (Person) throws -> Void) throws {
        try withPhotos { person, _ in try body(person) }
    }

    /// - Parameter body: Told the folder of the pictures, too.
    @MainActor static func withPhotos(_ body: (Person, URL) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "classicphotos-large-\(UUID())")
        let photos = folder.appending(path: "photos")
        try FileManager.default.createDirectory(at: photos, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        for (name, colour) in [("one.png", red), ("two.png", blue)] {
            try ImageEncoder(format: .png).encode(image(of: colour)).write(to: photos.appending(path: name))
        }
        let settings = folder.appending(path: "settings/classicphotos")
        try FileManager.default.createDirectory(at: settings, withIntermediateDirectories: true)
        try Data("[window]\nlook=original\n".utf8).write(to: settings.appending(path: "app.ini"))
        let app = try AppRun(
            [photos.appending(path: "one.png").path], settings: settings.deletingLastPathComponent(), isReadable: true)
        let person = Person(reader: try Reader(program: "classicphotos-app"), app: app)
        try person.wait("the picture in large") { person.sees("one.png, Done", role: ATSPI_ROLE_IMAGE) }
        try person.waitForPixels(red, atLeast: 40_000)
        try body(person, photos)
        try person.close()
    }

    /// Gives the red picture a look, without going back.
    /// - Returns: The colour that it has then.
    @MainActor private static func chooseBlackAndWhite(_ person: Person) throws -> [UInt8] {
        try person.press("Look", isLarge: true) { person.sees("Black and White") }
        try person.keys("Right")
        // The looks hide much of the picture.
        try person.keys("Escape")
        var grey = image(of: red)
        FilterChain([.grayscale(1)]).apply(to: &grey)
        let filtered = grey.withUnsafeBytes { Array($0.prefix(3)) }
        try person.waitForPixels(filtered, atLeast: 40_000)
        return filtered
    }

    /// Half of what is seen is red then.
    @MainActor private static func compare(_ person: Person, with filtered: [UInt8]) throws {
        try person.press("Compare with the published photo") {
            let counts = try Screen.pixelCounts(of: [red, filtered])
            return counts[0] > 20_000 && abs(counts[0] - counts[1]) < counts[0] / 5
        }
    }

    private static func image(of colour: [UInt8]) -> PixelBuffer {
        let pixels = Array(repeatElement(colour + [255], count: 400 * 300).joined())
        return PixelBuffer(uninitialized: PixelSize(width: 400, height: 300), isOpaque: true) {
            $0.copyBytes(from: pixels)
        }
    }
}
