import CGtk
import GtkSupport
import XCTest

@testable import PhotoApp

/// The header bar of the window.
final class WindowHeaderTests: GtkTestCase {
    func testTheTitleHasTheRoomThatThereIs() throws {
        try MainActor.assumeIsolated {
            let (title, subtitle) = (
                "Những bức ảnh chụp ở phố cổ Hội An", "12 photos · Original · 1 with a look of its own"
            )
            let looks = LookChooser(.original)
            let header = WindowHeader(looks: looks)
            header.show(title: title, subtitle: subtitle)
            let window = try XCTUnwrap(gtk_window_new())
            gtk_window_set_titlebar(cast(window), header.widget)
            gtk_window_set_default_size(cast(window), 1_270, 200)
            gtk_window_present(cast(window))
            for text in [title, subtitle] {
                let label = try XCTUnwrap(header.widget.flatMap { Self.label(text, below: $0) })
                Self.wait("whole “\(text)”") {
                    gtk_widget_get_width(label) > 0
                        && pango_layout_is_ellipsized(gtk_label_get_layout(OpaquePointer(label))) == 0
                }
            }
            // In a narrow window it keeps nothing out.
            var least: Int32 = 0
            gtk_widget_measure(header.widget, GTK_ORIENTATION_HORIZONTAL, -1, &least, nil, nil, nil)
            XCTAssertLessThanOrEqual(least, 360)
            looks.close()
            gtk_window_destroy(cast(window))
        }
    }

    @MainActor static func label(_ text: String, below widget: UnsafeMutablePointer<GtkWidget>)
        -> UnsafeMutablePointer<GtkWidget>?
    {
        if g_type_is_a(cgtk_instance_type(widget), gtk_label_get_type()) != 0,
            String(cString: gtk_label_get_text(OpaquePointer(widget))) == text
        {
            return widget
        }
        var child = gtk_widget_get_first_child(widget)
        while let next = child {
            if let found = label(text, below: next) { return found }
            child = gtk_widget_get_next_sibling(next)
        }
        return nil
    }
}
