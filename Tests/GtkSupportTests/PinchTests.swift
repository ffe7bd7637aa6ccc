import CGtk
import GtkSupport
import XCTest

@testable import PhotoApp

/// Two fingers on the large view. There are none under the X server of tests, so the gesture is told what they do.
final class PinchTests: GtkTestCase {
    func testTwoFingersMagnify() throws {
        try MainActor.assumeIsolated {
            let viewer = PhotoViewer()
            // The widgets of a window that is never shown live as long as this.
            let widget = ObjectReference(OpaquePointer(try XCTUnwrap(viewer.widget)))
            defer { withExtendedLifetime(widget) {} }
            viewer.photoCanvas.zoom.view = Zoom.Point(x: 400, y: 300)
            viewer.photoCanvas.zoom.image = Zoom.Point(x: 4_000, y: 3_000)
            let view = try XCTUnwrap(viewer.photoCanvas.canvas?.widget)
            let pinch = try XCTUnwrap(Self.controller(of: view, gtk_gesture_zoom_get_type()))
            XCTAssertEqual(viewer.photoCanvas.zoom.scale, 0.1)

            Self.begin(pinch)
            Self.scale(pinch, 2)
            XCTAssertEqual(viewer.photoCanvas.zoom.scale, 0.2, accuracy: 0.0001)
            // Scales count from the beginning of the gesture, not from each other.
            Self.scale(pinch, 3)
            XCTAssertEqual(viewer.photoCanvas.zoom.scale, 0.3, accuracy: 0.0001)
            // Another gesture begins at 1 again.
            Self.begin(pinch)
            Self.scale(pinch, 2)
            XCTAssertEqual(viewer.photoCanvas.zoom.scale, 0.6, accuracy: 0.0001)
            Self.scale(pinch, 0.01)
            XCTAssertNil(viewer.photoCanvas.zoom.chosenScale, "never smaller than all of the photo")
        }
    }

    /// The controller of a type that a widget has.
    @MainActor private static func controller(
        of widget: UnsafeMutablePointer<GtkWidget>, _ type: GType
    ) -> OpaquePointer? {
        guard let list = gtk_widget_observe_controllers(widget) else { return nil }
        defer { g_object_unref(UnsafeMutableRawPointer(list)) }
        for position in 0..<g_list_model_get_n_items(list) {
            guard let object = g_list_model_get_item(list, position) else { continue }
            // The widget keeps it.
            g_object_unref(object)
            if g_type_is_a(cgtk_instance_type(object), type) != 0 { return OpaquePointer(object) }
        }
        return nil
    }

    @MainActor private static func begin(_ gesture: OpaquePointer) {
        emit(gesture, gtk_gesture_get_type(), "begin") { value in
            // The sequence of events, which a pointer or a finger has.
            g_value_init(value, gdk_event_sequence_get_type())
        }
    }

    @MainActor private static func scale(_ gesture: OpaquePointer, _ scale: Double) {
        emit(gesture, gtk_gesture_zoom_get_type(), "scale-changed") { value in
            g_value_init(value, cgtk_fundamental_double())
            g_value_set_double(value, scale)
        }
    }

    @MainActor private static func emit(
        _ object: OpaquePointer, _ type: GType, _ signal: String, _ set: (UnsafeMutablePointer<GValue>) -> Void
    ) {
        withEmptyValues(2) { first in
            g_value_init(first, cgtk_instance_type(UnsafeMutableRawPointer(object)))
            g_value_set_object(first, UnsafeMutableRawPointer(object))
            set(first + 1)
            g_signal_emitv(first, g_signal_lookup(signal, type), 0, nil)
            g_value_unset(first)
            g_value_unset(first + 1)
        }
    }
}
