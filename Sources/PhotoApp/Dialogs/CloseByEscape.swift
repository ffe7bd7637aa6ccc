import CGtk
import GtkSupport

/// Has Escape close a dialog's window.
func closeByEscape(_ dialog: Widget) {
    guard let keys = gtk_shortcut_controller_new() else { return }
    let escape = gtk_keyval_trigger_new(guint(GDK_KEY_Escape), GdkModifierType(rawValue: 0))
    let shortcut = gtk_shortcut_new(escape, gtk_named_action_new("window.close"))
    gtk_shortcut_controller_add_shortcut(keys, shortcut)
    gtk_widget_add_controller(dialog, keys)
}
