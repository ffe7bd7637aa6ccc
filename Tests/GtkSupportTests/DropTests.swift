import CGtk
import Foundation
import GtkSupport
import ImageCodecs
import Pixels
import XCTest

/// A file or a folder that is dragged from another program, and let go over the app's window.
final class DropTests: GtkTestCase {
    func testADroppedCatalogIsOpened() throws {
        try MainActor.assumeIsolated {
            try Self.withFolder { folder in
                let catalog = folder.appending(path: "dropped.csv")
                try Data("name,url\nBroken,\n".utf8).write(to: catalog)
                try Self.drop(catalog) { person in person.sees("dropped.csv") && !person.rows.isEmpty }
            }
        }
    }

    func testADroppedFolderIsOpened() throws {
        try MainActor.assumeIsolated {
            try Self.withFolder { folder in
                let image = PixelBuffer(size: PixelSize(width: 8, height: 8))
                try ImageEncoder(format: .png).encode(image).write(to: folder.appending(path: "small.png"))
                try Self.drop(folder) { person in person.rows == ["small, Done"] || person.rows == ["small.png, Done"] }
            }
        }
    }

    func testLinksThatAreDroppedTogetherAreNotPassedOverInSilence() throws {
        try MainActor.assumeIsolated {
            let links = ["http://127.0.0.1:9/a.csv", "http://127.0.0.1:9/b.csv"].compactMap { URL(string: $0) }
            try Self.withHand(holding: links) { person, hand in
                try hand.drag(person) {
                    person.sees(
                        "Pictures and folders can be opened together, catalogs and web addresses only one at a time.")
                }
                try person.close()
            }
        }
    }

    func testADroppedPictureIsShownInLarge() throws {
        try MainActor.assumeIsolated {
            try Self.withFolder { folder in
                let image = PixelBuffer(size: PixelSize(width: 8, height: 8))
                for name in ["a.png", "b.png"] {
                    try ImageEncoder(format: .png).encode(image).write(to: folder.appending(path: name))
                }
                try Self.drop(folder.appending(path: "b.png")) { $0.numberInLarge(of: 2) == 2 }
            }
        }
    }

    func testSeveralDroppedFilesAreShownTogether() throws {
        try MainActor.assumeIsolated {
            try Self.withFolder { folder in
                let image = PixelBuffer(size: PixelSize(width: 8, height: 8))
                let files = ["a.png", "b.png", "c.png"].map { folder.appending(path: $0) }
                for file in files { try ImageEncoder(format: .png).encode(image).write(to: file) }
                try Self.withHand(holding: [files[2], files[0]]) { person, hand in
                    try hand.drag(person) { person.rows == ["a.png, Done", "c.png, Done"] }
                    try person.close()
                }
            }
        }
    }

    func testNothingIsOpenedWhileAFileIsChosen() throws {
        try MainActor.assumeIsolated {
            try Self.withFolder { folder in
                let catalog = folder.appending(path: "dropped.csv")
                try Data("name,url\nBroken,\n".utf8).write(to: catalog)
                try Self.withHand(holding: [catalog]) { person, hand in
                    try person.keys("ctrl+o")
                    try person.wait("the dialog") { try Screen.hasWindow("Open Photos or a Catalog") }
                    // Not over the place where it is let go.
                    try Screen.place("Open Photos or a Catalog", x: 800, y: 0)
                    var before = 0
                    try hand.drag(person, atEnd: { before = hand.drags })
                    try person.wait("the answer") { hand.drags > before }
                    XCTAssertTrue(person.sees("Open Pictures or a Catalog…"))
                    XCTAssertFalse(person.sees("dropped.csv"))
                    try Screen.focus("Open Photos or a Catalog")
                    try Screen.key("Escape")
                    try person.wait("the end of the dialog") { try !Screen.hasWindow("Open Photos or a Catalog") }
                    try hand.drag(person) { person.sees("dropped.csv") }
                    try person.focus()
                    try person.close()
                }
            }
        }
    }

    func testADropThatArrivesAsTheWindowClosesIsNobodys() throws {
        try MainActor.assumeIsolated {
            try Self.withFolder { folder in
                // Which of them is first is not the same each time.
                for _ in 0..<3 {
                    try Self.withHand(holding: [folder]) { person, hand in
                        try hand.drag(person) { person.app.terminate() }
                        try person.end()
                    }
                }
            }
        }
    }

    @MainActor private static func withFolder(_ body: (URL) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "classicphotos-drop-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try body(folder)
    }

    @MainActor private static func drop(_ file: URL, until isDone: (Person) -> Bool) throws {
        try withHand(holding: [file]) { person, hand in
            try hand.drag(person) { isDone(person) }
            try person.close()
        }
    }

    @MainActor private static func withHand(holding files: [URL], _ body: (Person, Hand) throws -> Void) throws {
        let reader = try Reader(program: "classicphotos-app")
        let app = try AppRun([], isReadable: true)
        let person = Person(reader: reader, app: app)
        try person.wait("the window") { person.sees("Open Pictures or a Catalog…") }
        let hand = try Hand(holding: files)
        defer { hand.end() }
        try person.wait("the other window") { try Screen.hasWindow("Files") }
        try Screen.place("Files", x: 1_000, y: 600)
        try body(person, hand)
    }
}

/// Drags a file out of a window of this test's, and into the app's.
@MainActor private final class Hand {
    /// How many drags have begun.
    private var begun = 0
    /// How many drags have come to their end, at whoever took the file or did not.
    private(set) var drags = 0
    /// Called in the moment in which a drag lets go.
    private var atEnd: () -> Void = {}
    private let window: UnsafeMutablePointer<GtkWidget>

    init(holding files: [URL]) throws {
        window = try XCTUnwrap(gtk_window_new())
        gtk_window_set_title(cast(window), "Files")
        gtk_window_set_default_size(cast(window), 200, 200)
        gtk_window_set_decorated(cast(window), 0)
        let source = try XCTUnwrap(gtk_drag_source_new())
        connect(source, "prepare") { (_: Double, _: Double) -> Provider in Provider(files: files) }
        connect(source, "drag-end") { [weak self] (_: SignalPointer, _: Bool) in self?.drags += 1 }
        connect(source, "drag-begin") { [weak self] (drag: SignalPointer) in
            guard let drag = drag.pointer else { return }
            self?.begun += 1
            connect(drag, "drop-performed") { self?.atEnd() }
        }
        gtk_widget_add_controller(window, source)
        gtk_window_present(cast(window))
    }

    func end() { gtk_window_destroy(cast(window)) }

    /// Drags until that has had its effect.
    func drag(_ person: Person, until isDone: () -> Bool) throws {
        var lastDrag: ContinuousClock.Instant?
        var hand: Process?
        try person.wait("what was dropped") {
            // What the hand does arrives here as events.
            while let hand, hand.isRunning { if !MainLoop.iterate(mayBlock: false) { usleep(1_000) } }
            if isDone() { return true }
            // GTK 4.8 ends none of two at one time, and keeps Escape from all other programs then.
            if begun > drags { return false }
            if let lastDrag, ContinuousClock.now - lastDrag < .seconds(5) { return false }
            hand = try Self.startDrag()
            lastDrag = .now
            return false
        }
        hand?.waitUntilExit()
    }

    /// Does something in the moment in which a drag lets go.
    func drag(_ person: Person, atEnd: @escaping () -> Void) throws {
        var hasLetGo = false
        self.atEnd = {
            hasLetGo = true
            atEnd()
        }
        // A program that is too slow to answer is dragged over in vain.
        try drag(person) { hasLetGo }
    }

    private static func startDrag() throws -> Process {
        try Screen.startDrag(fromX: 1_100, fromY: 700, toX: 400, toY: 300)
    }
}

/// Offers files to whoever takes them.
private struct Provider: SignalResult {
    let files: [URL]

    func write(to value: UnsafeMutablePointer<GValue>?) {
        guard let value else { return }
        var list: UnsafeMutablePointer<GSList>?
        for file in files.reversed() {
            let made = file.isFileURL ? g_file_new_for_path(file.path) : g_file_new_for_uri(file.absoluteString)
            list = g_slist_prepend(list, UnsafeMutableRawPointer(made))
        }
        defer { g_slist_free_full(list) { g_object_unref($0) } }
        withEmptyValues(1) { content in
            g_value_init(content, cgtk_type_file_list())
            g_value_take_boxed(content, gdk_file_list_new_from_list(list).map { UnsafeMutableRawPointer($0) })
            g_value_take_object(value, gdk_content_provider_new_for_value(content).map { UnsafeMutableRawPointer($0) })
            g_value_unset(content)
        }
    }
}
