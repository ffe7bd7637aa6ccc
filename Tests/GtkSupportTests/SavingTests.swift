import CAtspi
import Foundation
import Glibc
import ImageCodecs
import Pixels
import TestServers
import XCTest

/// Which photo is saved, and what becomes of a save that is under way when the window closes.
final class SavingTests: GtkTestCase {
    private static let red: [UInt8] = [220, 40, 40]
    private static let green: [UInt8] = [40, 200, 60]

    func testThePhotoThatIsChosenIsSavedAndNotTheOneUnderThePointer() throws {
        try MainActor.assumeIsolated {
            try Self.withServer { server, folder in
                let catalog = try Self.catalog(["/red", "/green", "/red"], server, in: folder)
                for layout in ["list", "grid"] {
                    let settings = folder.appending(path: "settings-\(layout)")
                    try Self.write("look=original\nlayout=\(layout)\n", to: settings)
                    let person = try Self.start([catalog.path], settings: settings)
                    try person.waitForRow("Photo 2, Done")
                    try person.focus()
                    // By the keyboard, until the second one is chosen; then the pointer crosses the others.
                    try person.keys("Home", layout == "list" ? "Down" : "Right")
                    try person.wait("the chosen photo") { person.isChosen("Photo 1, Done") }
                    try person.point(at: "Photo 2, Done")
                    try person.point(at: "Photo 0, Done")
                    let file = folder.appending(path: "saved-\(layout).png")
                    try person.keys("ctrl+s")
                    try person.answerFileDialog("Save Photo As", file.path)
                    try person.wait("the file") { (try? Data(contentsOf: file)).map { !$0.isEmpty } ?? false }
                    XCTAssertEqual(try Self.colour(of: file), Self.green, layout)
                    try person.wait("what is said of it") {
                        person.sees("“saved-\(layout).png” was saved in “\(folder.lastPathComponent)”.")
                    }
                    XCTAssertTrue(person.isChosen("Photo 1, Done"))
                    try person.close()
                }
            }
        }
    }

    func testWhereNoPhotoIsChosenNoneIsSaved() throws {
        try MainActor.assumeIsolated {
            try Self.withServer { server, folder in
                let person = try Self.start([try Self.catalog(["/red", "/green"], server, in: folder).path])
                try person.waitForRow("Photo 1, Done")
                try person.point(at: "Photo 1, Done")
                try person.waitForMessage("Choose a photo first.", afterKey: "ctrl+s")
                XCTAssertFalse(try Screen.hasWindow("Save Photo As"))
                try person.close()
            }
        }
    }

    func testAPhotoThatIsBeingSavedWhenTheWindowClosesIsSaved() throws {
        try MainActor.assumeIsolated {
            try Self.withServer { server, folder in
                let file = try Self.saveBehindTheGate(server, folder) { person in
                    try person.keys("ctrl+w")
                    try person.wait("the end of the window") { try !Screen.hasWindow("Classic Photos") }
                    server.openGate()
                    try person.end()
                }
                XCTAssertEqual(try Self.colour(of: file), Self.green)
            }
        }
    }

    func testASaveIsSeenAndCanBeCancelled() throws {
        try MainActor.assumeIsolated {
            try Self.withServer { server, folder in
                let photo = server.url(Fault.stallMidBody.rawValue)
                let file = try Self.save(photo, in: folder) { person in
                    let name = "Saving “Photo 0”…"
                    try person.wait("how much has come") { person.sees(name) && person.sees("50 %") }
                    XCTAssertTrue(person.sees(name, role: ATSPI_ROLE_PROGRESS_BAR))
                    try person.press("Cancel: \(name)") { person.sees("“Photo 0” was not saved: it was cancelled.") }
                    XCTAssertFalse(person.sees(name))
                    // Nothing is left that the program would wait for.
                    try person.close()
                }
                XCTAssertFalse(FileManager.default.fileExists(atPath: file.path))
            }
        }
    }

    func testWhoCancelsASaveByTheKeyboardGoesOnAtThePhotos() throws {
        try MainActor.assumeIsolated {
            try Self.withServer { server, folder in
                let photo = server.url(Fault.stallMidBody.rawValue)
                _ = try Self.save(photo, in: folder) { person in
                    try person.tab(to: "Cancel: Saving “Photo 0”…")
                    try person.keys("Return")
                    try person.wait("the end") { person.sees("“Photo 0” was not saved: it was cancelled.") }
                    try person.wait("the keyboard at the photo") { person.isFocused("Photo 0, Downloading…") }
                    try person.close()
                }
            }
        }
    }

    func testAPauseDoesNotKeepAClosedProgramFromSaving() throws {
        try MainActor.assumeIsolated {
            try Self.withServer { server, folder in
                let file = try Self.saveBehindTheGate(server, folder) { person in
                    try person.keys("ctrl+shift+p")
                    try person.wait("the pause") { person.sees("Resume") }
                    // A window that is paused says that its saves are, too, and goes on from there.
                    let resume = "Resume: Saving “Photo 0”…"
                    try person.wait("what it waits for") { person.sees("Paused") && person.sees(resume) }
                    try person.press(resume) { person.sees("Pause") && !person.sees(resume) }
                    try person.keys("ctrl+shift+p")
                    try person.wait("the pause") { person.sees("Resume") }
                    // As a session does that ends.
                    person.app.terminate()
                    try person.wait("the end of the window") { try !Screen.hasWindow("Classic Photos") }
                    server.openGate()
                    try person.end()
                }
                XCTAssertEqual(try Self.colour(of: file), Self.green)
            }
        }
    }

    func testASaveThatFailsAfterTheWindowWasClosedIsSaid() throws {
        try MainActor.assumeIsolated {
            try Self.withServer { server, folder in
                let file = try Self.saveBehindTheGate(server, folder) { person in
                    try person.keys("ctrl+w")
                    try person.wait("the end of the window") { try !Screen.hasWindow("Classic Photos") }
                    server.serve(Data("no picture".utf8), at: "/gate")
                    server.openGate()
                    try person.wait("the reason") {
                        person.sees("“Photo 0” was not saved. What arrived is not a picture.")
                    }
                    try Screen.focusTopWindow()
                    try Screen.key("Escape")
                    try person.end()
                }
                XCTAssertFalse(FileManager.default.fileExists(atPath: file.path))
            }
        }
    }

    func testAFileThatComesWhileAPhotoIsSavedStaysAndIsSaidToBeThere() throws {
        try MainActor.assumeIsolated {
            try Self.withServer { server, folder in
                let file = folder.appending(path: "saved.png")
                _ = try Self.saveBehindTheGate(server, folder) { person in
                    try Data("precious".utf8).write(to: file)
                    server.openGate()
                    try person.wait("the refusal") {
                        person.sees("“saved.png” is there already, and was not replaced.")
                    }
                    // The message may stay until the program ends.
                    person.app.terminate()
                    try person.end()
                }
                XCTAssertEqual(try Data(contentsOf: file), Data("precious".utf8))
            }
        }
    }

    func testAFileThatThePersonWasAskedAboutIsReplaced() throws {
        try MainActor.assumeIsolated {
            try Self.withServer { server, folder in
                let file = folder.appending(path: "saved.png")
                try Data("old".utf8).write(to: file)
                let person = try Self.start([try Self.catalog(["/green"], server, in: folder).path])
                try person.waitForRow("Photo 0, Done")
                try person.keys("Home", "ctrl+s")
                try person.wait("the dialog") { try Screen.hasWindow("Save Photo As") }
                try Screen.focus("Save Photo As")
                try Screen.key("ctrl+a")
                try Screen.type(file.path)
                try Screen.key("Return")
                try person.wait("the question") { person.name(beginningWith: "A file named “saved.png”") != nil }
                try person.press("Replace") { try !Screen.hasWindow("Save Photo As") }
                try person.wait("what is said of it") {
                    person.sees("“saved.png” was saved in “\(folder.lastPathComponent)”.")
                }
                XCTAssertNoThrow(try Self.colour(of: file))
                try person.close()
            }
        }
    }

    func testAFormatThatCannotBeWrittenIsRefused() throws {
        try MainActor.assumeIsolated {
            try Self.withServer { server, folder in
                let person = try Self.start([try Self.catalog(["/red"], server, in: folder).path])
                try person.waitForRow("Photo 0, Done")
                try person.keys("Home")
                try person.wait("the chosen photo") { person.isChosen("Photo 0, Done") }
                try person.keys("ctrl+s")
                try person.answerFileDialog("Save Photo As", folder.appending(path: "x.bmp").path)
                try person.wait("the refusal") {
                    person.sees("Photos cannot be written as “bmp”. There are jpg, png, webp and avif.")
                }
                try Screen.focusTopWindow()
                try Screen.key("Escape")
                try person.wait("the end of the dialog") { try Screen.windowCount() == 1 }
                let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
                XCTAssertEqual(names.filter { $0.hasPrefix("x") }, [])
                try person.focus()
                try person.close()
            }
        }
    }

    // MARK: Helpers

    /// Begins to save a photo whose server waits for the gate, and does something meanwhile.
    @MainActor private static func saveBehindTheGate(
        _ server: FaultServer, _ folder: URL, _ body: (Person) throws -> Void
    ) throws -> URL {
        server.serve(try ImageEncoder(format: .png).encode(image(of: green)), at: "/gate")
        return try save(server.url("/gate"), in: folder, body)
    }

    /// Begins to save a photo that does not arrive by itself, and does something meanwhile.
    @MainActor private static func save(
        _ photo: URL, in folder: URL, _ body: (Person) throws -> Void
    ) throws -> URL {
        let settings = folder.appending(path: "settings")
        try write("look=original\n", to: settings)
        let catalog = folder.appending(path: "catalog.csv")
        try Data("name,url\nPhoto 0,\(photo)\n".utf8).write(to: catalog)
        let person = try start([catalog.path], settings: settings)
        try person.waitForRow("Photo 0, Downloading…")
        try person.keys("Home")
        try person.wait("the chosen photo") { person.isChosen("Photo 0, Downloading…") }
        let file = folder.appending(path: "saved.png")
        try person.keys("ctrl+s")
        try person.answerFileDialog("Save Photo As", file.path)
        try person.wait("the saving") { person.sees("Saving “Photo 0”…") }
        try person.focus()
        try body(person)
        return file
    }

    @MainActor private static func withServer(_ body: (FaultServer, URL) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "classicphotos-saving-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let server = try FaultServer()
        defer { server.stop() }
        for (path, colour) in [("/red", red), ("/green", green)] {
            server.serve(try ImageEncoder(format: .png).encode(image(of: colour)), at: path)
        }
        try body(server, folder)
    }

    private static func catalog(_ paths: [String], _ server: FaultServer, in folder: URL) throws -> URL {
        let catalog = folder.appending(path: "catalog.csv")
        let lines = paths.enumerated().map { "Photo \($0),\(server.url($1))\n" }
        try Data(("name,url\n" + lines.joined()).utf8).write(to: catalog)
        return catalog
    }

    private static func write(_ preferences: String, to settings: URL) throws {
        let folder = settings.appending(path: "classicphotos")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try Data(("[window]\n" + preferences).utf8).write(to: folder.appending(path: "app.ini"))
    }

    @MainActor private static func start(_ arguments: [String], settings: URL? = nil) throws -> Person {
        Person(
            reader: try Reader(program: "classicphotos-app"),
            app: try AppRun(arguments, settings: settings, isReadable: true))
    }

    private static func image(of colour: [UInt8]) -> PixelBuffer {
        let pixels = Array(repeatElement(colour + [255], count: 40 * 30).joined())
        return PixelBuffer(uninitialized: PixelSize(width: 40, height: 30), isOpaque: true) {
            $0.copyBytes(from: pixels)
        }
    }

    private static func colour(of file: URL) throws -> [UInt8] {
        try ImageDecoder.decode(Data(contentsOf: file), longestSide: nil).withUnsafeBytes { Array($0.prefix(3)) }
    }
}
