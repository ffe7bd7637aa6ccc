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
                let picture = PixelBuffer(size: PixelSize(width: 8, height: 8))
                try ImageEncoder(format: .png).encode(picture).write(to: folder.appending(path: "small.png"))
                try Self.drop(folder) { person in person.rows == ["small, Done"] || person.rows == ["small.png, Done"] }
            }
        }
    }

    @MainActor private static func withFolder(_ body: (URL) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "classicphotos-drop-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try body(folder)
    }

    /// Drags a file out of a window of this test's, and into the app's.
    @MainActor private static func drop(_ file: URL, until isDone: (Person) -> Bool) throws {
        let reader = try Reader(program: "classicphotos-app")
        let app = try AppRun([], isReadable: true)
        let person = Person(reader: reader, app: app)
        try person.wait("the window") { person.sees("Open Catalog…") }
        let window = try XCTUnwrap(gtk_window_new())
        defer { gtk_window_destroy(cast(window)) }
        gtk_window_set_title(cast(window), "Files")
        gtk_window_set_default_size(cast(window), 200, 200)
        gtk_window_set_decorated(cast(window), 0)
        let source = try XCTUnwrap(gtk_drag_source_new())
        connect(source, "prepare") { (_: Double, _: Double) -> Provider in Provider(file: file) }
        gtk_widget_add_controller(window, source)
        gtk_window_present(cast(window))
        try person.wait("the other window") { try Screen.hasWindow("Files") }
        try Screen.place("Files", x: 1_000, y: 600)
        var lastDrag: ContinuousClock.Instant?
        var hand: Process?
        try person.wait("what was dropped") {
            // What the hand does arrives here as events.
            while let hand, hand.isRunning { if !MainLoop.iterate(mayBlock: false) { usleep(1_000) } }
            if isDone(person) { return true }
            if let lastDrag, ContinuousClock.now - lastDrag < .seconds(5) { return false }
            hand = try Screen.startDrag(fromX: 1_100, fromY: 700, toX: 400, toY: 300)
            lastDrag = .now
            return false
        }
        hand?.waitUntilExit()
        try person.close()
    }
}

/// Offers a file to whoever takes it.
private struct Provider: SignalResult {
    let file: URL

    func write(to value: UnsafeMutablePointer<GValue>?) {
        guard let value, let file = g_file_new_for_path(file.path) else { return }
        withEmptyValues(1) { content in
            g_value_init(content, cgtk_type_file())
            g_value_take_object(content, UnsafeMutableRawPointer(file))
            g_value_take_object(value, gdk_content_provider_new_for_value(content).map { UnsafeMutableRawPointer($0) })
            g_value_unset(content)
        }
    }
}
