import CAtspi
import Foundation
import ImageCodecs
import PhotoPipeline
import Pixels
import TestServers
import XCTest

/// All photos of a list are saved with its look.
final class SaveAllTests: GtkTestCase {
    private static let red: [UInt8] = [220, 40, 40]
    private static let green: [UInt8] = [40, 200, 60]

    func testAllPhotosAreSavedWithTheLookAndTheFolderAndAReportCanBeOpened() throws {
        try MainActor.assumeIsolated {
            try Self.withServer { server, folder in
                let catalog = try Self.catalog(["/red", "/green", "/none"], server, in: folder)
                let opened = folder.appending(path: "opened")
                let person = try Self.start(
                    [catalog.path], in: folder, "look=classic", "intensity=0.5", "save-smaller=true",
                    "save-longest-side=20",
                    environment: try Self.desktop(in: folder, writing: opened))
                try person.waitForRow("Photo 1, Done")
                try person.search("Photo 0")
                try person.wait("what is found") { person.rows == ["Photo 0, Done"] }
                let about = "All 3 photos of “catalog.csv”, with the look Classic (50 %)."
                try Self.askForAll(person)
                try person.wait("what is saved") {
                    person.sees(about + " The search shows 1 of them; the others are saved, too.")
                }
                try Screen.key("Return")
                let name = "catalog.csv, Classic (50 %)"
                try person.wait("what came of it") {
                    person.sees("2 photos were saved in “\(name)”. 1 photo was not saved.")
                }
                let output = folder.appending(path: "out/\(name)")
                XCTAssertEqual(try Self.pictures(in: output), ["Photo 0.png", "Photo 1.png"])
                for (file, colour) in [("Photo 0.png", Self.red), ("Photo 1.png", Self.green)] {
                    let image = try Self.decoded(output.appending(path: file))
                    XCTAssertEqual(image.size, PixelSize(width: 20, height: 15), file)
                    XCTAssertEqual(Self.colour(of: image), Self.half(colour), file)
                }
                XCTAssertEqual(server.requestCount("/none"), 2, "once for the list and once for the folder")

                for (button, path) in [("Open Folder", ""), ("Open Report", "classicphotos-report.html")] {
                    try person.press(button) {
                        let text = try? String(contentsOf: opened, encoding: .utf8)
                        let shown = text.flatMap { URL(string: $0.filter { !$0.isNewline }) }
                        return shown?.standardizedFileURL.path == output.appending(path: path).standardizedFileURL.path
                    }
                }
                let report = output.appending(path: "classicphotos-report.html")
                XCTAssertTrue(try String(contentsOf: report, encoding: .utf8).contains("Photo 1"))
                try person.press("Dismiss") { !person.sees("Open Folder") }
                try person.keys("Escape")
                try person.close()
            }
        }
    }

    func testWhateverIsOpenCanBeSaved() throws {
        try MainActor.assumeIsolated {
            try Self.withServer { server, folder in
                let photos = folder.appending(path: "photos")
                try FileManager.default.createDirectory(at: photos, withIntermediateDirectories: true)
                for name in ["one", "two"] {
                    try ImageEncoder(format: .png).encode(Self.image(of: Self.red))
                        .write(to: photos.appending(path: name + ".png"))
                }
                let list = "name,url\nPhoto 0,\(server.url("/red"))\n"
                server.serve(Data(list.utf8), at: "/list.csv")
                let sample = Translations.root.appending(path: "data/sample.csv")
                for (source, count) in [
                    (photos.path, 2), (photos.appending(path: "one.png").path, 2),
                    (server.url("/list.csv").absoluteString, 1), (sample.path, 24),
                ] {
                    let person = try Self.start([source], in: folder, "look=original", "own-look=classic")
                    try person.wait("the photos") {
                        person.rows.contains { $0.hasSuffix(", Done") } || person.sees("one.png, Done")
                    }
                    try Self.askForAll(person)
                    try Self.answer("result \(count)", person)
                    let photos = count == 1 ? "1 photo was" : "\(count) photos were"
                    let ends = [
                        "\(photos) saved in “result \(count)”.", "All photos are in “result \(count)” already.",
                    ]
                    try person.wait("what came of \(source)") { ends.contains { person.sees($0) } }
                    let output = folder.appending(path: "out/result \(count)")
                    XCTAssertEqual(try Self.pictures(in: output).count, count)
                    try person.focus()
                    try person.close()
                }
                XCTAssertEqual(
                    try Self.colour(of: folder.appending(path: "out/result 2/one.png")), Self.filtered(Self.red))
                XCTAssertEqual(try Self.colour(of: folder.appending(path: "out/result 1/Photo 0.png")), Self.red)
            }
        }
    }

    func testAPhotoIsSavedWithTheLookThatItAloneHas() throws {
        try MainActor.assumeIsolated {
            try Self.withServer { server, folder in
                let catalog = try Self.catalog(["/red", "/green", "/red"], server, in: folder)
                let person = try Self.start([catalog.path], in: folder, "look=original")
                try person.waitForRow("Photo 2, Done")
                try person.press("Photo 1, Done", button: 3) {
                    person.sees("Look of This Photo…", role: ATSPI_ROLE_MENU_ITEM, inRow: "Photo 1,")
                }
                try person.keys("l")
                try person.wait("the looks") { person.isOn("1 Selected Photo") }
                try person.keys("Right")
                try person.wait("its look") { person.sees("1 photo has a look of its own.") }
                try person.keys("Escape")
                try person.waitForRow("Photo 1, Done, Look: Black and White")
                try Self.askForAll(person)
                try person.wait("what is saved") {
                    person.name(beginningWith: "All 3 photos of “catalog.csv”")?
                        .contains("1 of them has a look of its own.") ?? false
                }
                try Screen.key("Return")
                try person.wait("the photos") { person.sees("3 photos were saved in “catalog.csv”.") }
                let output = folder.appending(path: "out/catalog.csv")
                var grey = Self.image(of: Self.green)
                FilterChain([.grayscale(1)]).apply(to: &grey)
                for (number, colour) in [Self.red, Self.colour(of: grey), Self.red].enumerated() {
                    XCTAssertEqual(
                        try Self.colour(of: output.appending(path: "Photo \(number).png")), colour, "Photo \(number)")
                }

                // With other looks it is another result, which would lie in one folder with this one.
                try person.focus()
                try person.keys("ctrl+z")
                try person.waitForRow("Photo 1, Done")
                try Self.askForAll(person)
                try Screen.key("Return")
                try person.wait("the refusal") {
                    person.name(beginningWith: "The photos in this folder were saved with another look") != nil
                }
                try Screen.key("Escape")
                try person.wait("the end of the dialog") { try Screen.windowCount() == 1 }
                try person.focus()
                try person.close()
            }
        }
    }

    func testAPauseHoldsItUntilItGoesOn() throws {
        try MainActor.assumeIsolated {
            try Self.withServer { server, folder in
                let person = try Self.saveBehindTheGate(server, folder)
                try person.press("Pause: Saving 4 photos…") { person.sees("Resume: Saving 4 photos…") }
                server.openGate()
                // The list is no part of the pause.
                try person.waitForRow("Photo 3, Done")
                let output = folder.appending(path: "out/catalog.csv")
                XCTAssertEqual(try Self.pictures(in: output), [])
                XCTAssertTrue(person.sees("Paused"))
                try person.press("Resume: Saving 4 photos…") { person.sees("4 photos were saved in “catalog.csv”.") }
                XCTAssertEqual(try Self.pictures(in: output).count, 4)
                try person.close()
            }
        }
    }

    func testWhatIsCancelledGoesOnInTheSameFolder() throws {
        try MainActor.assumeIsolated {
            try Self.withServer { server, folder in
                let person = try Self.saveBehindTheGate(server, folder)
                try person.press("Cancel: Saving 4 photos…") {
                    person.sees(
                        "Saving was cancelled. 0 photos were saved in “catalog.csv”. Save in this folder again to go on."
                    )
                }
                XCTAssertFalse(person.sees("Cancel: Saving 4 photos…"))
                server.openGate()
                try Self.askForAll(person)
                try Screen.key("Return")
                try person.wait("the photos") { person.sees("4 photos were saved in “catalog.csv”.") }
                try person.focus()
                try Self.askForAll(person)
                try Screen.key("Return")
                try person.wait("that nothing is left") { person.sees("All photos are in “catalog.csv” already.") }
                try person.focus()
                try person.close()
            }
        }
    }

    func testAFolderThatCannotBeUsedIsRefusedInTheDialog() throws {
        try MainActor.assumeIsolated {
            try Self.withServer { server, folder in
                let catalog = try Self.catalog(["/red", "/green"], server, in: folder)
                let output = folder.appending(path: "out")
                for name in ["others", "before"] {
                    try FileManager.default.createDirectory(
                        at: output.appending(path: name), withIntermediateDirectories: true)
                }
                let foreign = output.appending(path: "others/Photo 1.jpg")
                try Data("kept".utf8).write(to: foreign)
                try Data("a file".utf8).write(to: output.appending(path: "file"))
                var person = try Self.start([catalog.path], in: folder, "look=original", "save-place=\(folder.path)")
                try person.waitForRow("Photo 1, Done")
                try Self.askForAll(person)
                XCTAssertTrue(person.sees("In: \(folder.path)"))
                try person.press("Choose Where", inRow: "In: ") { try Screen.hasWindow("Choose Where") }
                try person.answerFileDialog("Choose Where", output.path + "/")
                try person.wait("the place") { person.sees("In: \(output.path)") }
                try Screen.focus("Save All Photos")
                for (name, beginning) in [
                    ("others", "“Photo 1.jpg” is in this folder already, and is not to be replaced."),
                    ("file", "This folder cannot be used: "),
                ] {
                    try Self.answer(name, person)
                    try person.wait("the refusal of \(name)") { person.name(beginningWith: beginning) != nil }
                }
                try Self.answer("before", person)
                try person.wait("the photos") { person.sees("2 photos were saved in “before”.") }
                XCTAssertEqual(try Data(contentsOf: foreign), Data("kept".utf8))
                try person.focus()
                try person.close()

                person = try Self.start([catalog.path], in: folder, "look=classic")
                try person.waitForRow("Photo 1, Done")
                try Self.askForAll(person)
                try Self.answer("before", person)
                try person.wait("the refusal") {
                    person.name(beginningWith: "The photos in this folder were saved with another look") != nil
                }
                try Screen.key("Escape")
                try person.wait("the end of the dialog") { try Screen.windowCount() == 1 }
                XCTAssertEqual(try Self.colour(of: output.appending(path: "before/Photo 0.png")), Self.red)
                try person.focus()
                try person.close()
            }
        }
    }

    func testAReasonIsInTheUsersLanguageToo() throws {
        try MainActor.assumeIsolated {
            try Self.withServer { server, folder in
                let catalog = try Self.catalog(["/red"], server, in: folder)
                try Data("a file".utf8).write(to: folder.appending(path: "out/file"))
                for language in ["vi", "ko"] {
                    let texts = try Translations.read(language)
                    func tr(_ text: String) throws -> String { try XCTUnwrap(texts[text], text) }
                    let person = try Self.start(
                        [catalog.path], in: folder, "look=original", environment: ["LANGUAGE": language])
                    try person.wait("the photo") { try person.sees("Photo 0, \(tr("Done"))") }
                    try person.focus()
                    try person.keys("ctrl+shift+s")
                    try person.wait("the dialog") { try Screen.windowCount() == 2 }
                    try Screen.focusTopWindow()
                    try person.wait("the entry") { try person.sees(tr("Folder"), role: ATSPI_ROLE_TEXT) }
                    try Self.answer("file", person)
                    let refusal = try tr("This folder cannot be used: {reason}.").replacing(
                        "{reason}", with: tr("there is a file in the place of a folder"))
                    try person.wait("the refusal in \(language)") { person.sees(refusal) }
                    try Screen.key("Escape")
                    try person.wait("the end of the dialog") { try Screen.windowCount() == 1 }
                    try person.focus()
                    try person.close()
                }
            }
        }
    }

    func testAFolderThatIsTakenAwayEndsItAndIsToldSo() throws {
        try MainActor.assumeIsolated {
            try Self.withServer { server, folder in
                let person = try Self.saveBehindTheGate(server, folder)
                try FileManager.default.removeItem(at: folder.appending(path: "out/catalog.csv"))
                server.openGate()
                try person.wait("the reason") {
                    person.name(beginningWith: "The file cannot be written: ")?.contains("0 photos were saved") ?? false
                }
                try person.close()
            }
        }
    }

    func testAClosedWindowLosesNothingNotEvenWhatIsPaused() throws {
        try MainActor.assumeIsolated {
            try Self.withServer { server, folder in
                let person = try Self.saveBehindTheGate(server, folder)
                try person.press("Pause: Saving 4 photos…") { person.sees("Resume: Saving 4 photos…") }
                try person.keys("ctrl+w")
                try person.wait("the end of the window") { try !Screen.hasWindow("Classic Photos") }
                server.openGate()
                try person.end()
                XCTAssertEqual(try Self.pictures(in: folder.appending(path: "out/catalog.csv")).count, 4)
            }
        }
    }

    // MARK: Helpers

    /// Opens the dialog, whose first entry has the keyboard then.
    @MainActor private static func askForAll(_ person: Person) throws {
        try person.keys("ctrl+shift+s")
        try person.wait("the dialog") { try Screen.hasWindow("Save All Photos") }
        try Screen.focus("Save All Photos")
        // GTK 4.8 does not tell that an entry in a row has the keyboard.
        try person.wait("the entry") { person.sees("Folder", role: ATSPI_ROLE_TEXT) }
    }

    /// Types the name of the folder, and saves.
    @MainActor private static func answer(_ name: String, _ person: Person) throws {
        try Screen.key("ctrl+a")
        try person.type(name)
        try Screen.key("Return")
    }

    /// Begins to save four photos whose server waits for the gate.
    @MainActor private static func saveBehindTheGate(_ server: FaultServer, _ folder: URL) throws -> Person {
        server.serve(try ImageEncoder(format: .png).encode(image(of: green)), at: "/gate")
        let catalog = try catalog((0..<4).map { "/gate?\($0)" }, server, in: folder)
        let person = try start([catalog.path], in: folder, "look=original")
        try person.waitForRow("Photo 0, Downloading…")
        try askForAll(person)
        try Screen.key("Return")
        var place = 0
        try person.wait("the bar in its place") {
            let last = place
            place = person.frame(of: "Saving 4 photos…", role: ATSPI_ROLE_PROGRESS_BAR)?.y ?? 0
            return place > 0 && place == last
        }
        try person.focus()
        return person
    }

    @MainActor private static func withServer(_ body: (FaultServer, URL) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "classicphotos-all-\(UUID())")
        try FileManager.default.createDirectory(
            at: folder.appending(path: "out"), withIntermediateDirectories: true)
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

    /// Starts the app, which saves PNG in a folder beside the catalog.
    @MainActor private static func start(
        _ arguments: [String], in folder: URL, _ preferences: String..., environment: [String: String] = [:]
    ) throws -> Person {
        let settings = folder.appending(path: "settings-\(UUID())")
        let place = settings.appending(path: "classicphotos")
        try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
        let lines =
            ["[window]", "save-format=png", "save-place=\(folder.appending(path: "out").path)"] + preferences
        try Data((lines.joined(separator: "\n") + "\n").utf8).write(to: place.appending(path: "app.ini"))
        let app = try AppRun(arguments, settings: settings, isReadable: true, environment: environment)
        return Person(reader: try Reader(program: "classicphotos-app"), app: app)
    }

    /// Makes a program for folders and pages that only writes down what it is to open, and tells how to have it found.
    private static func desktop(in folder: URL, writing opened: URL) throws -> [String: String] {
        let data = folder.appending(path: "data")
        let applications = data.appending(path: "applications")
        try FileManager.default.createDirectory(at: applications, withIntermediateDirectories: true)
        let script = folder.appending(path: "opener.sh")
        let part = opened.path + ".part"
        let lines = "#!/bin/sh\necho \"$1\" > '\(part)'\nmv '\(part)' '\(opened.path)'\n"
        try Data(lines.utf8).write(to: script)
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: script.path)
        let entry = """
            [Desktop Entry]
            Type=Application
            Name=Opener
            Exec=\(script.path) %u
            MimeType=inode/directory;text/html;
            """
        try Data((entry + "\n").utf8).write(to: applications.appending(path: "test-opener.desktop"))
        let defaults = "[Default Applications]\ninode/directory=test-opener.desktop\ntext/html=test-opener.desktop\n"
        try Data(defaults.utf8).write(to: applications.appending(path: "mimeapps.list"))
        return ["XDG_DATA_HOME": data.path]
    }

    private static func pictures(in folder: URL) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".png") }.sorted()
    }

    private static func image(of colour: [UInt8]) -> PixelBuffer {
        let pixels = Array(repeatElement(colour + [255], count: 40 * 30).joined())
        return PixelBuffer(uninitialized: PixelSize(width: 40, height: 30), isOpaque: true) {
            $0.copyBytes(from: pixels)
        }
    }

    /// The colour at half of the classic look.
    private static func half(_ colour: [UInt8]) -> [UInt8] {
        FilterChain.classic.applied(to: image(of: colour), intensity: 0.5)?.withUnsafeBytes { Array($0.prefix(3)) }
            ?? []
    }

    private static func filtered(_ colour: [UInt8]) -> [UInt8] {
        var image = image(of: colour)
        FilterChain.classic.apply(to: &image)
        return image.withUnsafeBytes { Array($0.prefix(3)) }
    }

    private static func decoded(_ file: URL) throws -> PixelBuffer {
        try ImageDecoder.decode(Data(contentsOf: file), longestSide: nil)
    }

    private static func colour(of image: PixelBuffer) -> [UInt8] { image.withUnsafeBytes { Array($0.prefix(3)) } }

    private static func colour(of file: URL) throws -> [UInt8] { colour(of: try decoded(file)) }
}
