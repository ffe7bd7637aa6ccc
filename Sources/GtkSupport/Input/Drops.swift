public import CGtk

/// Drops whose data is still on its way.
///
/// GTK 4.8 reads what is dropped while the program goes on, and does not stop when the widget goes that it was dropped
/// on: the answer then arrives at one that is freed. That is so for its own entries, too.
@MainActor public enum Drops {
    /// Refuses what was dropped on a widget or on one in it, and has not arrived; to be called before they go.
    public static func reject(below widget: UnsafeMutablePointer<GtkWidget>?) {
        guard let widget else { return }
        for target in controllers(gtk_drop_target_get_type(), of: widget) { gtk_drop_target_reject(target) }
        var child = gtk_widget_get_first_child(widget)
        while let next = child {
            reject(below: next)
            child = gtk_widget_get_next_sibling(next)
        }
    }

    /// Refuses what was dropped on a window or on a dialog over it, and has not arrived.
    public static func rejectAll(over window: UnsafeMutablePointer<GtkWidget>?) {
        guard let own: UnsafeMutablePointer<GtkWindow> = cast(window) else { return }
        guard let windows = gtk_window_get_toplevels() else { return }
        for index in 0..<g_list_model_get_n_items(windows) {
            guard let item = g_list_model_get_item(windows, index) else { continue }
            defer { g_object_unref(item) }
            let below = sequence(first: item.assumingMemoryBound(to: GtkWindow.self)) {
                gtk_window_get_transient_for($0)
            }
            if below.contains(own) { reject(below: item.assumingMemoryBound(to: GtkWidget.self)) }
        }
    }
}
