import CGtk
import GtkSupport

/// A sentence, what can be done about it, and a button that dismisses it. All of the sentence is there, however narrow the window is; a toast
/// of libadwaita has one line.
final class Notice {
    let widget = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 12)
    private let label: Widget?
    /// Called when somebody has read it.
    var onDismiss = {}

    /// - Parameter actions: What the buttons say, and do.
    init(_ text: String, _ actions: [(label: String, body: () -> Void)]) {
        label = gtk_label_new(text)
        guard let widget, let label, let dismiss = gtk_button_new_from_icon_name("window-close-symbolic"),
            let buttons = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 6),
            let parts = gtk_box_new(GTK_ORIENTATION_VERTICAL, 6)
        else { return }
        gtk_label_set_xalign(OpaquePointer(label), 0)
        gtk_label_set_wrap(OpaquePointer(label), 1)
        gtk_label_set_wrap_mode(OpaquePointer(label), PANGO_WRAP_WORD_CHAR)
        gtk_widget_set_hexpand(parts, 1)
        for (text, body) in actions {
            guard let button = gtk_button_new_with_mnemonic(text) else { continue }
            connect(button, "clicked") { body() }
            gtk_box_append(cast(buttons), button)
        }
        gtk_box_append(cast(parts), label)
        if !actions.isEmpty { gtk_box_append(cast(parts), buttons) }
        gtk_widget_set_valign(parts, GTK_ALIGN_CENTER)
        SaveLine.shape(dismiss, tr("Dismiss"))
        // The button keeps this until it is gone.
        connect(dismiss, "clicked") { [self] in onDismiss() }
        for child in [parts, dismiss] { gtk_box_append(cast(widget), child) }
        SaveLine.place(widget)
        gtk_widget_set_margin_top(widget, 8)
        gtk_widget_set_margin_bottom(widget, 8)
    }

    /// Says something else.
    func change(to text: String) {
        if let label { gtk_label_set_text(OpaquePointer(label), text) }
    }
}
