public import CGtk

/// Gives the keyboard to somebody else where a widget has it that is about to be insensitive: GTK would leave it with nobody, and keys would
/// do nothing. What is hidden or removed passes it on by itself.
///
/// - Parameters:
///   - widget: What answers no more; nothing happens where neither it nor a widget in it has the keyboard.
///   - take: Gives the keyboard to another widget.
@MainActor public func passFocus(from widget: UnsafeMutablePointer<GtkWidget>?, _ take: () -> Void) {
    guard let widget, let focus = gtk_widget_get_root(widget).flatMap({ gtk_root_get_focus($0) }),
        focus == widget || gtk_widget_is_ancestor(focus, widget) != 0
    else { return }
    take()
}
