import CAtspi
import Foundation
import ImageCodecs
import Pixels
import TestServers
import XCTest

/// Quitting the program while photos are being saved.
final class QuittingTests: GtkTestCase {
    func testWhoQuitsIsAskedAndTheNextWindowShowsWhatGoesOn() throws {
        try MainActor.assumeIsolated {
            try Self.whileSaving { person, server, folder, file in
                try Self.quit(person)
                // Back, and the same again.
                try Screen.key("Escape")
                try person.wait("the end of the question") { !person.sees("Photos Are Still Being Saved") }
                XCTAssertTrue(person.sees("Saving “Slow”…"))
                try Self.quit(person)
                try Screen.key("alt+g")
                try person.wait("the end of the window") { try Screen.windowCount() == 0 }
                try person.app.check()

                let other = try AppRun([], settings: folder.appending(path: "settings"), isReadable: true)
                Self.wait("end of the other start") { !other.isRunning }
                try person.wait("the saving in the new window") { person.sees("Saving “Slow”…") }
                XCTAssertTrue(person.sees("Cancel: Saving “Slow”…"))
                server.openGate()
                try person.wait("its end") { !person.sees("Saving “Slow”…") }
                XCTAssertTrue(FileManager.default.fileExists(atPath: file.path))
                try person.close()
            }
        }
    }

    func testWhoQuitsMayCancelSaving() throws {
        try MainActor.assumeIsolated {
            try Self.whileSaving { person, _, _, file in
                try Self.quit(person)
                try Screen.key("alt+s")
                try person.end()
                XCTAssertFalse(FileManager.default.fileExists(atPath: file.path))
            }
        }
    }

    // MARK: Helpers

    @MainActor private static func quit(_ person: Person) throws {
        try person.focus(title: "slow.csv – Classic Photos")
        try Screen.key("ctrl+q")
        try person.wait("the question") { person.sees("Photos Are Still Being Saved") }
        try Screen.focusTopWindow()
    }

    /// Begins to save a photo whose server waits for the gate.
    @MainActor private static func whileSaving(
        _ body: @MainActor (Person, FaultServer, _ folder: URL, _ file: URL) throws -> Void
    ) throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "classicphotos-quitting-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let server = try FaultServer()
        defer { server.stop() }
        let image = PixelBuffer(size: PixelSize(width: 40, height: 30))
        server.serve(try ImageEncoder(format: .png).encode(image), at: Fault.gate.rawValue)
        let slow = folder.appending(path: "slow.csv")
        try Data("name,url\nSlow,\(server.url(.gate))\n".utf8).write(to: slow)
        let person = Person(
            reader: try Reader(program: "classicphotos-app"),
            app: try AppRun([slow.path], settings: folder.appending(path: "settings"), isReadable: true))
        try person.waitForRow("Slow, Downloading…")
        try person.focus(title: "slow.csv – Classic Photos")
        try person.keys("Home", "ctrl+s")
        let file = folder.appending(path: "saved.png")
        try person.answerFileDialog("Save Photo As", file.path)
        try person.wait("the saving") { person.sees("Saving “Slow”…") }
        try body(person, server, folder, file)
    }
}
