import CAtspi
import Foundation
import ImageCodecs
import PhotoPipeline
import Pixels
import TestServers
import XCTest

@testable import PhotoApp

/// Photos that have a look of their own.
final class OwnLookTests: GtkTestCase {
    private static let red = OwnPhotosTests.red
    private static let grey = FilterChain([.grayscale(1)])

    func testALookIsForThePhotoThatOneLooksAt() throws {
        try MainActor.assumeIsolated {
            try OwnPhotosTests.withPhotos { photos, folder in
                let settings = folder.appending(path: "settings")
                let person = try Self.start(photos, settings)
                try person.press("one.png, Done") { person.numberInLarge(of: 2) == 1 }
                try person.press("Look", isLarge: true) { person.sees("This Photo") }
                XCTAssertTrue(person.isOn("All Photos"), "a look is for all until somebody says otherwise")
                try person.keys("alt+p")
                try person.wait("the look for this photo") { person.isOn("This Photo") }
                try person.keys("Right")
                try person.keys("Escape")
                try person.wait("what is said of it") { person.sees("1 photo has a look of its own.") }
                try person.waitForPixels(OwnPhotosTests.filtered(Self.grey), atLeast: 40_000)
                // The other one has the look of all, and its looks are offered for all.
                try person.keys("Page_Down")
                try person.waitForPixels(Self.red, atLeast: 40_000)
                try person.keys("Escape")
                try person.waitForRow("one.png, Done, Look: Black and White")
                try person.waitForRow("two.png, Done")
                XCTAssertTrue(person.sees("2 photos · Original · 1 with its own"))
                XCTAssertTrue(person.sees("Look: Black and White", role: ATSPI_ROLE_LABEL, inRow: "one.png,"))
                try person.press("one.png, Done, Look: Black and White", button: 3) {
                    person.sees("Information", role: ATSPI_ROLE_MENU_ITEM, inRow: "one.png,")
                }
                try person.keys("i")
                try person.wait("the information") {
                    person.sees("Look: Black and White, for this photo only")
                }
                try Screen.focusTopWindow()
                try Screen.key("Escape")
                try person.wait("the end of the information") { try Screen.windowCount() == 1 }
                try person.focus()

                // It goes with the photo, over reloads and to the next start; what is open then may be in another order.
                try person.keys("F5", "shift+F5")
                try person.waitForRow("one.png, Done, Look: Black and White")
                try person.close()
                try FileManager.default.copyItem(
                    at: photos.appending(path: "two.png"), to: photos.appending(path: "before.png"))
                let next = try Self.start(photos, settings, count: 3)
                try next.waitForRow("one.png, Done, Look: Black and White")
                try next.waitForPixels(OwnPhotosTests.filtered(Self.grey))
                XCTAssertTrue(next.sees("3 photos · Original · 1 with its own"))

                // And one goes back to the look of all, and takes that back.
                try next.press("one.png, Done, Look: Black and White", button: 3) {
                    next.sees("Use the Look of All Photos", role: ATSPI_ROLE_MENU_ITEM, inRow: "one.png,")
                }
                try next.keys("k")
                try next.waitForRow("one.png, Done")
                try next.wait("what is said of it") { next.sees("All photos have one look.") }
                try next.keys("ctrl+z")
                try next.waitForRow("one.png, Done, Look: Black and White")
                try next.keys("ctrl+shift+z")
                try next.waitForRow("one.png, Done")
                try next.close()
                let last = try Self.start(photos, settings, count: 3)
                XCTAssertTrue(last.sees("3 photos · Original"))
                try last.close()
            }
        }
    }

    func testAPictureThatIsOpenedByItsWebAddressKeepsItsLook() throws {
        try MainActor.assumeIsolated {
            let server = try FaultServer()
            defer { server.stop() }
            let image = PixelBuffer(size: PixelSize(width: 40, height: 30))
            server.serve(try ImageEncoder(format: .png).encode(image), at: "/photo")
            let settings = FileManager.default.temporaryDirectory.appending(path: "classicphotos-picture-\(UUID())")
            defer { try? FileManager.default.removeItem(at: settings) }
            @MainActor func start() throws -> Person {
                let app = try AppRun(
                    [server.url("/photo").absoluteString], settings: settings, isReadable: true,
                    environment: ["XDG_DATA_HOME": settings.appending(path: "data").path])
                return Person(reader: try Reader(program: "classicphotos-app"), app: app)
            }
            let person = try start()
            try person.wait("the picture in large") { person.sees("photo, Done", role: ATSPI_ROLE_IMAGE) }
            try person.press("Look", isLarge: true) { person.sees("This Photo") }
            try person.keys("alt+p")
            try person.wait("the look for this photo") { person.isOn("This Photo") }
            try person.keys("Right")
            try person.keys("Escape")
            try person.wait("what is said of it") { person.sees("1 photo has a look of its own.") }
            try person.close()
            let next = try start()
            try next.wait("the picture in large") { next.sees("photo, Done", role: ATSPI_ROLE_IMAGE) }
            try next.keys("Escape")
            try next.waitForRow("photo, Done, Look: Original")
            try next.close()
        }
    }

    func testALookIsForThePhotosThatAreChosen() throws {
        try MainActor.assumeIsolated {
            try OwnPhotosTests.withPhotos { photos, folder in
                try FileManager.default.copyItem(
                    at: photos.appending(path: "two.png"), to: photos.appending(path: "three.png"))
                let person = try Self.start(photos, folder.appending(path: "settings"), count: 3)
                try person.focus()
                try person.keys("Home", "shift+Down")
                try person.wait("two") {
                    person.isChosen("one.png, Done") && person.isChosen("three.png, Done")
                }
                try person.press("three.png, Done", button: 3) {
                    person.sees("Look of 2 Photos…", role: ATSPI_ROLE_MENU_ITEM, inRow: "three.png,")
                }
                try person.keys("l")
                try person.wait("the looks") { person.sees("2 Selected Photos") && person.isOn("2 Selected Photos") }
                try person.keys("Right")
                try person.wait("the photos") { person.sees("2 photos have a look of their own.") }
                try person.keys("Escape")
                for name in ["one", "three"] { try person.waitForRow("\(name).png, Done, Look: Black and White") }
                try person.waitForRow("two.png, Done")
                try person.waitForPixels(OwnPhotosTests.filtered(Self.grey))
                try person.waitForPixels(Self.red)

                // One of them goes back to the look of all; the other one keeps what it has.
                try person.focus()
                try person.keys("Home")
                try person.wait("the first one alone") {
                    !person.isChosen("three.png, Done, Look: Black and White")
                        && person.isChosen("one.png, Done, Look: Black and White")
                }
                try person.press("one.png, Done, Look: Black and White", button: 3) {
                    person.sees("Use the Look of All Photos", role: ATSPI_ROLE_MENU_ITEM, inRow: "one.png,")
                }
                try person.keys("k")
                try person.waitForRow("one.png, Done")
                try person.waitForRow("three.png, Done, Look: Black and White")
                try person.keys("ctrl+z")
                try person.waitForRow("one.png, Done, Look: Black and White")

                // All of them are saved with what they have.
                let output = folder.appending(path: "out")
                try FileManager.default.createDirectory(at: output, withIntermediateDirectories: true)
                try person.wait("all of them") {
                    try person.keys("ctrl+a")
                    return person.isChosen("two.png, Done")
                }
                try person.keys("ctrl+s")
                try person.answerFileDialog("Save 3 Photos In", output.path + "/")
                try person.wait("the files") {
                    // While they are written they have other names.
                    try FileManager.default.contentsOfDirectory(atPath: output.path).count { !$0.hasPrefix(".") } == 3
                }
                for (name, filter) in [("one", Self.grey), ("two", .none), ("three", Self.grey)] {
                    let saved = try ImageDecoder.decode(
                        Data(contentsOf: output.appending(path: name + ".jpg")), longestSide: nil)
                    let colour = saved.withUnsafeBytes { Array($0.prefix(3)) }
                    let wanted = OwnPhotosTests.filtered(filter)
                    XCTAssertTrue(zip(colour, wanted).allSatisfy { abs(Int($0) - Int($1)) < 12 }, "\(name): \(colour)")
                }

                // One look for all again, from the window's looks.
                try person.focus()
                try person.press("Look") { person.sees("Intensity") }
                // They are chosen still, and have a look of their own.
                try person.wait("the look for them") { person.isOn("3 Selected Photos") }
                try person.keys("alt+a")
                try person.wait("the look of all") { person.isOn("All Photos") }
                try person.keys("alt+o")
                try person.wait("the end of their looks") { !person.sees("One Look for All Photos") }
                try person.keys("Escape")
                for name in ["one", "two", "three"] { try person.waitForRow("\(name).png, Done") }
                try person.close()
            }
        }
    }

    /// Two photos of which the first one has a look of its own.
    @MainActor private static func withLookOfOne(_ body: @MainActor (Person) throws -> Void) throws {
        try OwnPhotosTests.withPhotos { photos, folder in
            let person = try start(photos, folder.appending(path: "settings"))
            try person.focus()
            try giveLook("one.png", person)
            try body(person)
        }
    }

    /// The look that is marked is that of the first one.
    func testPhotosAreGivenTheLookThatTheFirstOfThemHas() throws {
        try MainActor.assumeIsolated {
            try Self.withLookOfOne { person in
                let look = ", Done, Look: Black and White"
                try person.focus()
                try person.keys("ctrl+a")
                try person.wait("both") { person.isChosen("one.png" + look) && person.isChosen("two.png, Done") }
                try person.press("two.png, Done", button: 3) {
                    person.sees("Look of 2 Photos…", role: ATSPI_ROLE_MENU_ITEM, inRow: "two.png,")
                }
                try person.keys("l")
                try person.wait("the looks") { person.isOn("2 Selected Photos") }
                try person.keys("Return")
                try person.wait("both of them") { person.sees("2 photos have a look of their own.") }
                try person.keys("Escape")
                try person.waitForRow("two.png" + look)
                XCTAssertTrue(person.rows.contains("one.png" + look))
                try person.focus()
                try person.keys("ctrl+z")
                try person.waitForRow("two.png, Done")
                try person.close()
            }
        }
    }

    func testTheLookOfAllIsTakenBackByAKey() throws {
        try MainActor.assumeIsolated {
            try Self.withLookOfOne { person in
                let look = "one.png, Done, Look: Black and White"
                try person.focus()
                try person.press("Look") { person.sees("Intensity") }
                try person.wait("the look for one") { person.isOn("1 Selected Photo") }
                try person.keys("alt+a")
                try person.wait("the look of all") { person.isOn("All Photos") }
                try person.keys("Right")
                try person.wait("the look") { person.sees("2 photos · Black and White · 1 with its own") }
                try person.keys("Escape")
                try person.wait("the end of the looks") { !person.sees("Intensity") }
                try person.focus()
                try person.keys("ctrl+z")
                try person.wait("the former look of all") { person.sees("2 photos · Original · 1 with its own") }
                XCTAssertTrue(person.rows.contains(look), "\(person.rows)")
                try person.close()
            }
        }
    }

    func testLooksArePreviewedWithAPhotoThatTheyAreFor() throws {
        try MainActor.assumeIsolated {
            try OwnPhotosTests.withPhotos { photos, folder in
                let blue: [UInt8] = [30, 60, 210]
                let pixels = Array(repeatElement(blue + [255], count: 400 * 300).joined())
                let image = PixelBuffer(uninitialized: PixelSize(width: 400, height: 300), isOpaque: true) {
                    $0.copyBytes(from: pixels)
                }
                try ImageEncoder(format: .png).encode(image).write(to: photos.appending(path: "z.png"))
                let person = try Self.start(photos, folder.appending(path: "settings"), count: 3)
                try person.focus()
                try person.keys("End")
                try person.wait("the chosen photo") { person.isChosen("z.png, Done") }
                try person.waitForPixels(blue)
                let inRow = try Screen.pixelCounts(of: [blue])[0]
                try person.press("Look") { person.sees("1 Selected Photo") && person.sees("Intensity") }
                for _ in 0..<2 {
                    try person.keys("alt+s")
                    try person.wait("the look for this one") { person.isOn("1 Selected Photo") }
                    try person.waitForPixels(blue, atLeast: inRow + 4_000)
                    try person.keys("alt+a")
                    try person.wait("previews of another one") {
                        try Screen.pixelCounts(of: [blue])[0] < inRow + 1_000
                    }
                }
                try person.keys("Escape")
                try person.close()
            }
        }
    }

    /// Ctrl+Z is the text's that one types, whether it has something to take back or not.
    func testWhoTakesBackWhatWasTypedKeepsTheLooks() throws {
        try MainActor.assumeIsolated {
            try Self.withLookOfOne { person in
                let look = "one.png, Done, Look: Black and White"
                try person.search("one")
                try person.wait("the only match") { person.rows == [look] }
                try person.keys("ctrl+z", "ctrl+z", "ctrl+z", "ctrl+z")
                try person.waitForRow("two.png, Done")
                XCTAssertTrue(person.rows.contains(look), "\(person.rows)")
                try person.keys("Escape")
                try person.wait("the end of the search") { !person.isFocused("Search by name") }
                XCTAssertTrue(person.rows.contains(look), "\(person.rows)")
                // It is the photos' again.
                try person.keys("ctrl+z")
                try person.waitForRow("one.png, Done")
                try person.close()
            }
        }
    }

    func testAPhotoIsSeenInAllLooksBesideEachOther() throws {
        try MainActor.assumeIsolated {
            try OwnPhotosTests.withPhotos { photos, folder in
                let person = try Self.start(photos, folder.appending(path: "settings"))
                try person.press("one.png, Done") { person.numberInLarge(of: 2) == 1 }
                try person.waitForPixels(Self.red, atLeast: 40_000)
                try person.press("Looks side by side") { person.sees("Xpro2") }
                try person.wait("the look that it has") { person.isOn("Original") }
                for filter in [.none, Self.grey, FilterChain([.look(.xpro2)])] {
                    let colour = OwnPhotosTests.filtered(filter)
                    // Of a picture that a gradient is laid over, the middle alone.
                    if filter != FilterChain([.look(.xpro2)]) { try person.waitForPixels(colour, atLeast: 5_000) }
                }
                try Self.waitForFocus("Original", person)
                try person.keys("Right")
                try Self.waitForFocus("Black and White", person)
                try person.keys("Escape")
                try person.waitForPixels(Self.red, atLeast: 40_000)
                XCTAssertEqual(person.numberInLarge(of: 2), 1, "one is in the large view still")
                XCTAssertFalse(person.sees("Xpro2"))

                // By keys, for this photo.
                try person.keys("l")
                try Self.waitForFocus("Original", person)
                try person.press("This Photo") { person.isOn("This Photo") }
                try Self.waitForFocus("Original", person)
                try person.keys("Right", "Return")
                try person.waitForPixels(OwnPhotosTests.filtered(Self.grey), atLeast: 40_000)
                try person.wait("what is said of it") { person.sees("1 photo has a look of its own.") }
                // By a click, for all; it is offered for the photo first, as that has one of its own.
                try person.keys("l")
                try person.wait("the look that it has") {
                    person.isOn("This Photo") && person.isOn("Black and White")
                }
                try person.press("All Photos") { person.isOn("All Photos") && person.isOn("Original") }
                try person.press("Vivid") { !person.sees("Xpro2") }
                try person.keys("Escape")
                try person.waitForRow("one.png, Done, Look: Black and White")
                try person.wait("the look of all") { person.sees("2 photos · Vivid · 1 with its own") }
                // From a photo's menu, and back to the photos in one step each.
                try person.press("two.png, Done", button: 3) {
                    person.sees("Looks Side by Side", role: ATSPI_ROLE_MENU_ITEM, inRow: "two.png,")
                }
                try person.keys("y")
                try person.wait("the looks") { person.isOn("Vivid") && person.numberInLarge(of: 2) == 2 }
                try person.keys("Escape", "Escape")
                try person.wait("the photos") { person.isFocused("two.png, Done") }
                try person.close()
            }
        }
    }

    /// As on a full disk: here a file lies where their folder belongs.
    func testLooksThatCannotBeKeptAreSaidAndKeptAtTheEnd() throws {
        try MainActor.assumeIsolated {
            try OwnPhotosTests.withPhotos { photos, folder in
                let settings = folder.appending(path: "settings")
                let place = settings.appending(path: "data/classicphotos/looks")
                try FileManager.default.createDirectory(
                    at: place.deletingLastPathComponent(), withIntermediateDirectories: true)
                try Data().write(to: place)
                let person = try Self.start(photos, settings)
                try person.focus()
                try Self.giveLook("one.png", person)
                try person.wait("what is said of it") {
                    person.sees(
                        "Looks of single photos cannot be kept: there is a file in the place of a folder.")
                }
                // It is there after a reload, too.
                try person.focus()
                try person.keys("shift+F5")
                try person.waitForRow("one.png, Done, Look: Black and White")
                try FileManager.default.removeItem(at: place)
                try person.close()
                let next = try Self.start(photos, settings)
                try next.waitForRow("one.png, Done, Look: Black and White")
                try next.close()
            }
        }
    }

    // MARK: Helpers

    @MainActor static func start(_ photos: URL, _ settings: URL, count: Int = 2) throws -> Person {
        let app = try AppRun(
            [photos.path], settings: settings, isReadable: true,
            environment: ["XDG_DATA_HOME": settings.appending(path: "data").path])
        let person = Person(reader: try Reader(program: "classicphotos-app"), app: app)
        try person.wait("the photos") { person.rows.filter { $0.contains(", Done") }.count == count }
        return person
    }

    /// Gives a photo that has the look of all the one after that, from its menu.
    @MainActor static func giveLook(_ name: String, _ person: Person) throws {
        try person.press("\(name), Done", button: 3) {
            person.sees("Look of This Photo…", role: ATSPI_ROLE_MENU_ITEM, inRow: "\(name),")
        }
        try person.keys("l")
        try person.wait("the looks") { person.isOn("1 Selected Photo") }
        try person.keys("Right")
        try person.wait("the photo") { person.sees("1 photo has a look of its own.") }
        try person.keys("Escape")
        try person.wait("its look") { person.rows.contains { $0.hasPrefix("\(name), Done, Look: ") } }
    }

    @MainActor private static func waitForFocus(_ name: String, _ person: Person) throws {
        try person.wait("the keyboard at “\(name)”") { person.isFocused(name) }
    }
}
