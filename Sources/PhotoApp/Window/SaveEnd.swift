import CGtk
import GtkSupport

/// What has come of a job: a sentence, what can be done with it, and a button that dismisses it.
final class SaveEnd {
    let widget = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 12)
    /// Called when somebody has read it.
    var onDismiss = {}

    /// - Parameter actions: What the buttons say, and do.
    init(_ text: String, _ actions: [(label: String, body: () -> Void)]) {
        guard let widget, let label = gtk_label_new(text),
            let dismiss = gtk_button_new_from_icon_name("window-close-symbolic"),
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
        for child in [label, buttons] { gtk_box_append(cast(parts), child) }
        SaveLine.shape(dismiss, tr("Dismiss"))
        // The button keeps this until it is gone.
        connect(dismiss, "clicked") { [self] in onDismiss() }
        for child in [parts, dismiss] { gtk_box_append(cast(widget), child) }
        SaveLine.place(widget)
        gtk_widget_set_margin_top(widget, 8)
        gtk_widget_set_margin_bottom(widget, 8)
    }
}
