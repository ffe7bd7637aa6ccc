import CGtk
import GtkSupport

/// What is said over the photos for a few seconds, in one line.
enum Toast {
    /// Makes one.
    ///
    /// - Parameter button: What can be done about it, and the action that does it.
    static func make(_ text: String, _ button: (label: String, action: String)?) -> OpaquePointer? {
        guard let toast = adw_toast_new(text.escapedForMarkup) else { return nil }
        if let button {
            adw_toast_set_button_label(toast, button.label)
            adw_toast_set_action_name(toast, button.action)
        }
        adw_toast_set_priority(toast, ADW_TOAST_PRIORITY_HIGH)
        return toast
    }

    /// What its margins and the button that dismisses it take of the window's width, and the borders of another button.
    private static let (margins, borders): (Int32, Int32) = (110, 40)

    /// Whether all of a text is seen in a window; in a narrower one libadwaita puts an ellipsis in the place of the rest.
    ///
    /// - Parameter button: What a button says that stands beside it; nil for none.
    static func hasRoom(for text: String, _ button: String?, in window: Widget?) -> Bool {
        let width = gtk_widget_get_width(window)
        // One that has no size yet may become wide.
        guard width > 0 else { return true }
        return margins + self.width(of: text) + (button.map { borders + self.width(of: $0) } ?? 0) <= width
    }

    /// How wide a text is in the type of toasts and buttons.
    private static func width(of text: String) -> Int32 {
        guard let label = gtk_label_new(text) else { return 0 }
        let kept = ObjectReference(OpaquePointer(label))
        gtk_widget_add_css_class(label, "heading")
        var natural: Int32 = 0
        withExtendedLifetime(kept) {
            gtk_widget_measure(label, GTK_ORIENTATION_HORIZONTAL, -1, nil, &natural, nil, nil)
        }
        return natural
    }
}
