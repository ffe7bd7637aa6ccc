import CAtspi
import CGtk
import Foundation
import GtkSupport
import ImageCodecs
import Pixels
import TestServers
import XCTest

/// Photos on their way into other programs: copied, dragged, opened, and shown in their folder.
final class OtherProgramsTests: GtkTestCase {
    func testPhotosAreCopiedAsFiles() throws {
        try MainActor.assumeIsolated {
            try Self.withPhotos { photos, folder in
                let person = try Self.start([photos.path], in: folder)
                try person.waitForRow("b c.png, Done")
                try person.focus()
                let (one, two) = (photos.appending(path: "a.png").path, photos.appending(path: "b c.png").path)
                // By the key, the one that has the keyboard.
                try person.keys("Home")
                try person.waitForMessage("1 photo was copied.", afterKey: "ctrl+c")
                XCTAssertEqual(try Self.copiedFiles(), [one])
                // By the menu, all that are chosen.
                try person.keys("ctrl+a", "shift+F10")
                try person.wait("the menu") { person.sees("Copy", inRow: "") }
                try person.keys("c")
                try person.wait("what came of it") { person.sees("2 photos were copied.") }
                XCTAssertEqual(try Self.copiedFiles(), [one, two])
                XCTAssertEqual(try Self.copiedText(), "\(one)\n\(two)")
                // In large, where the picture is copied, too.
                try person.press("a.png, Done") { person.numberInLarge(of: 2) == 1 }
                try person.wait("the picture") { person.sees("a.png, Done", role: ATSPI_ROLE_IMAGE) }
                try person.keys("ctrl+c")
                try person.wait("what came of it") { try Self.copiedFiles() == [one] }
                XCTAssertEqual(try Clipboard.pictureSize(), PixelSize(width: 40, height: 30))
                try person.keys("Escape")
                try person.close()
            }
        }
    }

    /// A click with Control takes a photo out of those that are chosen, and the keyboard stays at it.
    func testWhatIsChosenIsCopiedAndNotWhereTheKeyboardIs() throws {
        try MainActor.assumeIsolated {
            try Self.withPhotos { photos, folder in
                let person = try Self.start([photos.path], in: folder)
                try person.waitForRow("b c.png, Done")
                try person.focus()
                try person.press("a.png, Done", holding: "ctrl") { person.isChosen("a.png, Done") }
                try person.press("b c.png, Done", holding: "ctrl") { person.isChosen("b c.png, Done") }
                try person.press("b c.png, Done", holding: "ctrl") { !person.isChosen("b c.png, Done") }
                try person.waitForMessage("1 photo was copied.", afterKey: "ctrl+c")
                XCTAssertEqual(try Self.copiedFiles(), [photos.appending(path: "a.png").path])
                try person.close()
            }
        }
    }

    /// Of a million, the window would not answer for long.
    func testTooManyPhotosAreNotCopied() throws {
        try MainActor.assumeIsolated {
            try Self.withPhotos { _, folder in
                let catalog = folder.appending(path: "many.csv")
                let lines = (0...10_000).map { "Photo \($0),photos/a.png\n" }
                try Data(("name,url\n" + lines.joined()).utf8).write(to: catalog)
                let person = try Self.start([catalog.path], in: folder)
                try person.waitForRow("Photo 1, Done")
                try person.focus()
                try person.keys("Home", "ctrl+a")
                try person.wait("all") { person.isChosen("Photo 1, Done") }
                try person.waitForMessage("Other programs get 10,000 photos at most.", afterKey: "ctrl+c")
                try person.keys("Home")
                try person.wait("the first alone") { !person.isChosen("Photo 1, Done") }
                try person.waitForMessage("1 photo was copied.", afterKey: "ctrl+c")
                try person.close()
            }
        }
    }

    func testPhotosOfTheWebAreCopiedByTheirAddress() throws {
        try MainActor.assumeIsolated {
            try Self.withPhotos { photos, folder in
                let server = try FaultServer()
                defer { server.stop() }
                server.serve(try Data(contentsOf: photos.appending(path: "a.png")), at: "/a.png")
                let address = server.url("/a.png").absoluteString
                let catalog = folder.appending(path: "web.csv")
                try Data("name,url\nPhoto,\(address)\n".utf8).write(to: catalog)
                let person = try Self.start([catalog.path], in: folder)
                try person.waitForRow("Photo, Done")
                try person.focus()
                try person.keys("Home", "shift+F10")
                try person.wait("the menu") { person.sees("Copy", inRow: "") }
                // There is no file on this computer.
                XCTAssertFalse(person.sees("Open With…", inRow: ""))
                XCTAssertFalse(person.sees("Show in Files", inRow: ""))
                try person.keys("c")
                try person.wait("what came of it") { person.sees("1 photo was copied.") }
                XCTAssertEqual(try Self.copiedText(), address)
                try person.close()
            }
        }
    }

    func testAPhotoIsDraggedOut() throws {
        try MainActor.assumeIsolated {
            try Self.withPhotos { photos, folder in
                // It does not end with a warning that is none of its own.
                let person = try Self.start([photos.path], in: folder, environment: ["G_DEBUG": ""])
                try person.waitForRow("b c.png, Done")
                let basket = try Basket()
                defer { basket.end() }
                try person.wait("the other window") { try Screen.hasWindow("Basket") }
                try Screen.place("Basket", x: 1_000, y: 600)
                try person.focus()
                try basket.drag(from: "b c.png, Done", of: person) {
                    basket.files == [photos.appending(path: "b c.png").path]
                }
                // A drag is no click.
                XCTAssertNil(person.numberInLarge(of: 2))
                // What ends in the app's own window is nothing new.
                let before = basket.drags
                try basket.drag(from: "b c.png, Done", of: person, to: (500, 500)) { basket.drags > before }
                XCTAssertEqual(person.rows, ["a.png, Done", "b c.png, Done"])
                XCTAssertNil(person.numberInLarge(of: 2))
                try person.close()
            }
        }
    }

    func testAPhotoIsOpenedWithAnotherProgram() throws {
        try MainActor.assumeIsolated {
            try Self.withPhotos { photos, folder in
                let person = try Self.start([photos.path], in: folder)
                try person.waitForRow("b c.png, Done")
                try person.focus()
                try person.keys("Home", "Down", "shift+F10")
                try person.wait("the menu") { person.sees("Open With…", inRow: "") }
                try person.keys("h")
                try person.wait("the dialog") { try Screen.windowCount() == 2 }
                try Screen.focusTopWindow()
                // The programs in it are no things that screen readers are told of; the one that is the default is chosen.
                var looks = 0
                try person.wait("the file in the program") {
                    if looks % 40 == 0, try Screen.windowCount() == 2 { try Screen.key("Return") }
                    looks += 1
                    return Self.opened(in: folder) == photos.appending(path: "b c.png").path
                }
                try person.wait("the end of the dialog") { try Screen.windowCount() == 1 }
                try person.focus()
                try person.close()
            }
        }
    }

    func testAPhotoIsShownInItsFolder() throws {
        try MainActor.assumeIsolated {
            try Self.withPhotos { photos, folder in
                let person = try Self.start([photos.path], in: folder)
                try person.waitForRow("b c.png, Done")
                try person.focus()
                @MainActor func show() throws {
                    try person.keys("Home", "shift+F10")
                    try person.wait("the menu") { person.sees("Show in Files", inRow: "") }
                    try person.keys("f")
                }
                // Without a file manager on the bus its folder is opened.
                try show()
                try person.wait("the folder") { Self.opened(in: folder) == photos.path }
                guard let manager = FileManagerService() else { throw XCTSkip("there is no message bus (dbus-daemon)") }
                defer { manager.end() }
                try show()
                try person.wait("the file") { manager.shown == [photos.appending(path: "a.png").absoluteString] }
                try person.close()
            }
        }
    }

    // MARK: Helpers

    @MainActor private static func withPhotos(_ body: (_ photos: URL, _ folder: URL) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "classicphotos-others-\(UUID())")
        let photos = folder.appending(path: "photos")
        try FileManager.default.createDirectory(at: photos, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let image = try ImageEncoder(format: .png).encode(PixelBuffer(size: PixelSize(width: 40, height: 30)))
        for name in ["a.png", "b c.png"] { try image.write(to: photos.appending(path: name)) }
        try body(photos, folder)
    }

    /// Starts the app on a desktop with one program, for pictures and folders, which only writes down what it is to open.
    @MainActor private static func start(
        _ arguments: [String], in folder: URL, environment: [String: String] = [:]
    ) throws -> Person {
        let data = folder.appending(path: "data")
        let applications = data.appending(path: "applications")
        try FileManager.default.createDirectory(at: applications, withIntermediateDirectories: true)
        let script = folder.appending(path: "opener.sh")
        let opened = folder.appending(path: "opened").path
        try Data("#!/bin/sh\necho \"$1\" > '\(opened).part'\nmv '\(opened).part' '\(opened)'\n".utf8).write(to: script)
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: script.path)
        let entry = """
            [Desktop Entry]
            Type=Application
            Name=Opener
            Exec=\(script.path) %u
            MimeType=inode/directory;image/png;
            """
        try Data((entry + "\n").utf8).write(to: applications.appending(path: "test-opener.desktop"))
        let lines = "inode/directory=test-opener.desktop\nimage/png=test-opener.desktop\n"
        let defaults = "[Default Applications]\n\(lines)[Added Associations]\n\(lines)"
        try Data(defaults.utf8).write(to: applications.appending(path: "mimeapps.list"))
        return Person(
            reader: try Reader(program: "classicphotos-app"),
            app: try AppRun(
                arguments, isReadable: true, environment: environment.merging(["XDG_DATA_HOME": data.path]) { $1 }))
    }

    /// The path of what the desktop's program was to open last.
    private static func opened(in folder: URL) -> String? {
        guard let text = try? String(contentsOf: folder.appending(path: "opened"), encoding: .utf8) else { return nil }
        let line = text.filter { !$0.isNewline }
        return line.hasPrefix("/") ? line : URL(string: line).map { $0.standardizedFileURL.path }
    }

    // MARK: The clipboard

    @MainActor private static func copiedFiles() throws -> [String] {
        try Clipboard.read(cgtk_type_file_list()) { value in
            Basket.paths(OpaquePointer(g_value_get_boxed(value)))
        }
    }

    @MainActor private static func copiedText() throws -> String {
        try Clipboard.read(cgtk_fundamental_string()) { g_value_get_string($0).map { String(cString: $0) } ?? "" }
    }
}

/// A window of this test's that takes files.
@MainActor private final class Basket {
    private(set) var files: [String] = []
    /// How many drags have come to their end.
    private(set) var drags = 0
    private let window: UnsafeMutablePointer<GtkWidget>

    init() throws {
        window = try XCTUnwrap(gtk_window_new())
        gtk_window_set_title(cast(window), "Basket")
        gtk_window_set_default_size(cast(window), 200, 200)
        gtk_window_set_decorated(cast(window), 0)
        let target = try XCTUnwrap(gtk_drop_target_new(cgtk_type_file_list(), GDK_ACTION_COPY))
        connect(target, "drop") { [weak self] (value: Dropped, _: Double, _: Double) -> Bool in
            self?.files = value.paths
            return true
        }
        gtk_widget_add_controller(window, target)
        gtk_window_present(cast(window))
    }

    func end() { gtk_window_destroy(cast(window)) }

    /// Drags a row until that has had its effect.
    func drag(
        from row: String, of person: Person, to place: (x: Int, y: Int) = (1_100, 700), until isDone: () -> Bool
    ) throws {
        var lastDrag: ContinuousClock.Instant?
        var hand: Process?
        try person.wait("the effect of dragging “\(row)”") {
            // What the hand does arrives here as events.
            if hand?.isRunning == true { return false }
            if isDone() { return true }
            if let lastDrag, ContinuousClock.now - lastDrag < .seconds(5) { return false }
            guard let frame = person.frame(of: row, role: ATSPI_ROLE_LIST_ITEM) else { return false }
            hand = try Screen.startDrag(
                fromX: frame.x + frame.width / 2, fromY: frame.y + frame.height / 2, toX: place.x, toY: place.y)
            drags += 1
            lastDrag = .now
            return false
        }
        hand?.waitUntilExit()
    }

    nonisolated static func paths(_ list: OpaquePointer?) -> [String] {
        guard let list else { return [] }
        let files = gdk_file_list_get_files(list)
        defer { g_slist_free(files) }
        return sequence(first: files, next: { $0?.pointee.next }).compactMap { file in
            guard let data = file?.pointee.data, let path = g_file_get_path(OpaquePointer(data)) else { return nil }
            defer { g_free(path) }
            return String(cString: path)
        }
    }

    /// What a drop brings.
    private struct Dropped: SignalValue {
        let paths: [String]

        static func accepts(_ type: GType) -> Bool { type == g_value_get_type() }

        init(reading value: UnsafePointer<GValue>) {
            let inner = g_value_get_boxed(value)?.assumingMemoryBound(to: GValue.self)
            paths = Basket.paths(inner.flatMap { g_value_get_boxed($0) }.map { OpaquePointer($0) })
        }
    }
}
