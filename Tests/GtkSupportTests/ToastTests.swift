import CGtk
import GtkSupport
import XCTest

@testable import PhotoApp

/// What the window says in passing, and until it is dismissed.
final class ToastTests: GtkTestCase {
    private static let path =
        "…/.var/app/org.classicphotos.ClassicPhotos/config/classicphotos/preferences/app.ini.broken"
    private static let lasting =
        "Parts of the preferences cannot be understood. The file as it was is kept as “\(path)”."
    private static let long = String(repeating: "These photos have no files on this computer. ", count: 4)

    func testAllOfALongMessageIsThere() throws {
        try MainActor.assumeIsolated {
            for width: Int32 in [860, 360] {
                let window = Self.open(width, named: "ToastTests\(width)")
                let root = try XCTUnwrap(window.window)
                let said = try XCTUnwrap(window.sayLasting(Self.lasting))
                window.say(Self.long, button: ("_Undo", "win.undo-look"))
                for text in [Self.long, Self.lasting] {
                    Self.wait("all of “\(text)” at \(width) pixels") { Self.isWhole(text, below: root) }
                }
                // What is said next in passing takes the place of the last.
                window.say(Self.long + " ", button: nil)
                Self.wait("the end of the other one") { WindowHeaderTests.label(Self.long, below: root) == nil }
                XCTAssertTrue(Self.isWhole(Self.lasting, below: root))
                // So does a short one, and looks that change may be others than those that it would take back.
                for end in [{ window.say("Choose a photo first.") }, window.applyLooks, window.closeList] {
                    window.say(Self.long, button: ("_Undo", "win.undo-look"))
                    Self.wait("a long one") { WindowHeaderTests.label(Self.long, below: root) != nil }
                    end()
                    Self.wait("its end") { WindowHeaderTests.label(Self.long, below: root) == nil }
                    XCTAssertTrue(Self.isWhole(Self.lasting, below: root))
                }
                window.saves.remove(said)
                Self.wait("the end of it") { WindowHeaderTests.label(Self.lasting, below: root) == nil }
                XCTAssertLessThanOrEqual(gtk_widget_get_width(root), width)
                window.close()
            }
        }
    }

    func testAShortMessageGoesByItself() throws {
        try MainActor.assumeIsolated {
            let window = Self.open(860, named: "ToastTestsShort")
            let root = try XCTUnwrap(window.window)
            window.say("Choose a photo first.")
            Self.wait("the message") { Self.isWhole("Choose a photo first.", below: root) }
            let label = try XCTUnwrap(WindowHeaderTests.label("Choose a photo first.", below: root))
            XCTAssertNotNil(gtk_widget_get_ancestor(label, adw_toast_overlay_get_type()))
            window.close()
        }
    }

    /// A window of a width, which is there.
    @MainActor private static func open(_ width: Int32, named name: String) -> BrowserWindow {
        let application = application(named: name)
        let window = BrowserWindow(application: application.pointer, diskCache: nil)
        gtk_window_set_default_size(cast(window.window), width, 640)
        window.present()
        wait("the window") { gtk_widget_get_width(window.window) > 0 }
        return window
    }

    /// Whether a label has all of a text, within the window.
    @MainActor private static func isWhole(_ text: String, below root: Widget) -> Bool {
        guard let label = WindowHeaderTests.label(text, below: root) else { return false }
        let layout = gtk_label_get_layout(OpaquePointer(label))
        var (width, height): (Int32, Int32) = (0, 0)
        pango_layout_get_pixel_size(layout, &width, &height)
        var (x, y) = (0.0, 0.0)
        return gtk_widget_get_width(label) > 0 && pango_layout_is_ellipsized(layout) == 0
            && width <= gtk_widget_get_width(label) && height <= gtk_widget_get_height(label)
            && gtk_widget_translate_coordinates(label, root, 0, 0, &x, &y) != 0
            && x + Double(width) <= Double(gtk_widget_get_width(root))
    }
}
