import CAtspi
import Foundation
import ImageCodecs
import PhotoBrowser
import PhotoPipeline
import Pixels
import TestServers
import Transfers
import XCTest

@testable import PhotoApp

/// What is told of a photo: its file, its way here, its camera.
final class InformationTests: GtkTestCase {
    func testAnExposureThatNoCameraHasIsNotTold() {
        MainActor.assumeIsolated {
            XCTAssertEqual(PhotoInformation.exposure(1 / 8_000), "1/8000 s")
            XCTAssertEqual(PhotoInformation.exposure(0.5), "0.5 s")
            for seconds in [1e-300, 1e-40, .leastNonzeroMagnitude, 0, -1, .nan] {
                XCTAssertNil(PhotoInformation.exposure(seconds), "\(seconds)")
            }
        }
    }

    func testTheFileAndTheCameraAreTold() throws {
        try MainActor.assumeIsolated {
            let server = try FaultServer()
            defer { server.stop() }
            let file = try Self.photograph()
            server.serve(file, at: "/it")
            let address = server.url("/it").absoluteString
            let (person, catalog) = try Self.start("Photo 0,\(address)\nPhoto 1,\(server.url("/missing"))\n")
            defer { try? FileManager.default.removeItem(at: catalog) }
            try person.waitForRow("Photo 0, Done")
            // Of a row that is chosen.
            try person.keys("Home")
            try person.wait("the chosen photo") { person.isChosen("Photo 0, Done") }
            try person.keys("alt+Return")
            let told = [
                "Address: \(address)", "Kind: JPEG", "Dimensions: 40 × 30 pixels", "Camera: Acme",
                "Taken: 2026-11-23 18:20:00",
            ]
            try person.wait("all that is told") { told.allSatisfy { person.sees($0) } }
            XCTAssertNotNil(person.name(beginningWith: "Came From: The network: first byte after "))
            try Self.closeDialog(person)
            // In large, by the mouse, and where there is no file.
            try person.press("Photo 0, Done") { person.numberInLarge(of: 2) == 1 }
            try person.press("Next photo") { person.numberInLarge(of: 2) == 2 }
            try person.press("Information") {
                person.sees("Not There: There is no such picture on the server (404)")
            }
            try Self.closeDialog(person)
            try person.close()
        }
    }

    /// What is seen of it in a row is a few words.
    func testWhyAPhotoFailedIsToldInFull() throws {
        try MainActor.assumeIsolated {
            let server = try FaultServer()
            defer { server.stop() }
            let photograph = try Self.photograph()
            server.serve(Data("no picture".utf8), at: "/text")
            server.serve(photograph.dropLast(photograph.count / 4) + [0xFF, 0xD9], at: "/cut")
            let lines = ["text", "cut", "missing"].enumerated().map { "Photo \($0),\(server.url("/" + $1))\n" }
            let (person, catalog) = try Self.start(lines.joined())
            defer { try? FileManager.default.removeItem(at: catalog) }
            let rows: [(row: String, told: String, detail: String)] = [
                (
                    "What arrived is not a picture", "What Went Wrong: What arrived is not a picture",
                    "\(ImageCodecError.notAnImage)"
                ),
                ("The picture is damaged", "What Went Wrong: The picture is damaged", ""),
                (
                    "There is no such picture on the server (404)",
                    "What Went Wrong: There is no such picture on the server (404)", "404: "
                ),
            ]
            for (number, entry) in rows.enumerated() {
                let row = "Photo \(number), \(entry.row)"
                try person.waitForRow(row)
                try person.wait("what is said of “\(row)”") {
                    person.description(ofRow: row).map { !$0.isEmpty && $0.hasPrefix(entry.detail) } ?? false
                }
                let detail = try XCTUnwrap(person.description(ofRow: row))
                try person.keys(number == 0 ? "Home" : "Down")
                try person.wait("the chosen photo") { person.isChosen(row) }
                try person.keys("alt+Return")
                try person.wait("what went wrong") {
                    person.sees(entry.told) && person.sees("Details: \(detail)")
                }
                // Once is enough.
                XCTAssertEqual(person.count(ofNames: "Details: "), 1)
                try Self.closeDialog(person)
            }
            try person.press("Photo 2, There is no such picture on the server (404)") {
                person.numberInLarge(of: 3) == 3
            }
            try person.wait("the detail below the sentence") {
                person.name(beginningWith: "404: ") != nil
            }
            try person.close()
        }
    }

    func testAServerThatIsNotTrustedIsNotCalledAway() {
        MainActor.assumeIsolated {
            let error = PhotoError(TransferError.untrusted("its certificate is nobody's"), attempts: 3)
            XCTAssertEqual(error.reason, .unreachable, "reports have no word for it")
            XCTAssertEqual(error.sentence, "The server’s certificate is not trusted")
            let away = PhotoError(TransferError.unreachable("its name is not known"))
            XCTAssertEqual(away.sentence, "The server cannot be reached")
        }
    }

    func testOfSeveralPhotosTheOneWithTheKeyboardIsToldOf() throws {
        try MainActor.assumeIsolated {
            try OwnPhotosTests.withPhotos { photos, folder in
                let person = try OwnPhotosTests.start([photos.path], folder.appending(path: "settings"))
                try person.waitForRow("two.png, Done")
                try person.keys("Home", "Down")
                try person.wait("the second one") { person.isFocused("two.png, Done") }
                try person.keys("ctrl+a")
                try person.wait("both") { person.isChosen("one.png, Done") && person.isChosen("two.png, Done") }
                try person.keys("alt+Return")
                try person.wait("its information") { person.sees("Name: two.png") }
                XCTAssertFalse(person.sees("Name: one.png"))
                try Self.closeDialog(person)
                try person.close()
            }
        }
    }

    func testWhileTheFileIsOnItsWayThatIsSaid() throws {
        try MainActor.assumeIsolated {
            let server = try FaultServer()
            defer { server.stop() }
            server.serve(try Self.photograph(), at: Fault.gate.rawValue)
            let (person, catalog) = try Self.start("Photo 0,\(server.url(.gate))\n")
            defer { try? FileManager.default.removeItem(at: catalog) }
            try person.waitForRow("Photo 0, Downloading…")
            try person.keys("Home")
            try person.wait("the chosen photo") { person.isChosen("Photo 0, Downloading…") }
            try person.keys("alt+Return")
            try person.wait("the wait") { person.sees("Name: Photo 0") && person.sees("Reading the file…") }
            server.openGate()
            try person.wait("the file") { person.sees("Kind: JPEG") && !person.sees("Reading the file…") }
            // The window below may be closed first.
            person.app.terminate()
            try person.end()
        }
    }

    func testWhileDownloadsArePausedThatIsSaidAndCanBeEnded() throws {
        try MainActor.assumeIsolated {
            let server = try FaultServer()
            defer { server.stop() }
            server.serve(try Self.photograph(), at: "/it")
            let (person, catalog) = try Self.start("Photo 0,\(server.url("/it"))\n")
            defer { try? FileManager.default.removeItem(at: catalog) }
            try person.waitForRow("Photo 0, Done")
            try person.keys("ctrl+shift+p")
            try person.wait("the pause") { person.sees("Resume") }
            try person.keys("Home")
            try person.wait("the chosen photo") { person.isChosen("Photo 0, Done") }
            try person.keys("alt+Return")
            try person.wait("the wait") { person.sees("Downloads are paused. The file is read when they go on.") }
            XCTAssertFalse(person.sees("Reading the file…"))
            try person.press("Resume Downloads") { person.sees("Kind: JPEG") }
            XCTAssertTrue(person.sees("Pause"), "the window's photos go on, too")
            try Self.closeDialog(person)
            try person.close()
        }
    }

    /// The app with a catalog of these entries, and that catalog.
    @MainActor private static func start(_ entries: String) throws -> (Person, URL) {
        let catalog = FileManager.default.temporaryDirectory.appending(path: "classicphotos-facts-\(UUID()).csv")
        try Data("name,url\n\(entries)".utf8).write(to: catalog)
        let app = try AppRun([catalog.path], isReadable: true)
        return (Person(reader: try Reader(program: "classicphotos-app"), app: app), catalog)
    }

    @MainActor private static func closeDialog(_ person: Person) throws {
        try Screen.focusTopWindow()
        try Screen.key("Escape")
        try person.wait("the end of the dialog") { try Screen.windowCount() == 1 }
        try person.focus()
    }

    /// A JPEG with what a camera notes: who made it, and when the picture was taken.
    private static func photograph() throws -> Data {
        let jpeg = try ImageEncoder(format: .jpeg).encode(PixelBuffer(size: PixelSize(width: 40, height: 30)))
        var tiff = Array("II".utf8)
        func put(_ short: UInt16) { tiff += [UInt8(short & 255), UInt8(short >> 8)] }
        func put(_ long: UInt32) {
            put(UInt16(long & 0xFFFF))
            put(UInt16(long >> 16))
        }
        func entry(_ tag: UInt16, _ type: UInt16, _ count: Int, _ value: UInt32) {
            put(tag)
            put(type)
            put(UInt32(count))
            put(value)
        }
        let (name, date) = (Array("Acme\0".utf8), Array("2026:11:23 18:20:00\0".utf8))
        // The first directory is at 8 with two entries, that of EXIF behind it with one, and then the texts.
        let (exif, texts): (UInt32, UInt32) = (38, 56)
        put(42 as UInt16)
        put(8 as UInt32)
        put(2 as UInt16)
        entry(271, 2, name.count, texts)
        entry(34_665, 4, 1, exif)
        put(0 as UInt32)
        put(1 as UInt16)
        entry(36_867, 2, date.count, texts + UInt32(name.count))
        put(0 as UInt32)
        tiff += name + date
        let block = Array("Exif\0\0".utf8) + tiff
        let length = block.count + 2
        return jpeg.prefix(2) + Data([0xFF, 0xE1, UInt8(length >> 8), UInt8(length & 255)] + block) + jpeg.dropFirst(2)
    }
}
