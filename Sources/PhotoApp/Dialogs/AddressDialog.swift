import CGtk
import GtkSupport

/// Asks for the address of a catalog.
enum AddressDialog {
    static func show(over window: Widget?, onOpen: @escaping (String) -> Void) {
        let text = tr("A catalog on the web: a property list, JSON, CSV, or plain addresses.")
        guard let dialog = cgtk_message_dialog(cast(window), tr("Open an Address"), text), let entry = gtk_entry_new()
        else { return }
        let pointer = cast(dialog, to: AdwMessageDialog.self)
        cgtk_message_dialog_add_response(dialog, "cancel", tr("_Cancel"))
        cgtk_message_dialog_add_response(dialog, "open", tr("_Open"))
        adw_message_dialog_set_response_appearance(pointer, "open", ADW_RESPONSE_SUGGESTED)
        adw_message_dialog_set_default_response(pointer, "open")
        adw_message_dialog_set_close_response(pointer, "cancel")
        adw_message_dialog_set_response_enabled(pointer, "open", 0)
        gtk_entry_set_placeholder_text(cast(entry), "https://")
        gtk_entry_set_input_purpose(cast(entry), GTK_INPUT_PURPOSE_URL)
        gtk_entry_set_activates_default(cast(entry), 1)
        cgtk_set_accessible_label(entry, tr("Address"))
        connect(entry, "changed") {
            adw_message_dialog_set_response_enabled(pointer, "open", address(in: entry) == nil ? 0 : 1)
        }
        connect(dialog, "response") { (response: String) in
            Drops.reject(below: dialog)
            if response == "open", let address = address(in: entry) { onOpen(address) }
        }
        adw_message_dialog_set_extra_child(pointer, entry)
        gtk_window_present(cast(dialog))
        gtk_widget_grab_focus(entry)
    }

    /// What was typed, where it is an address of the web.
    private static func address(in entry: Widget) -> String? {
        guard let text = gtk_editable_get_text(OpaquePointer(entry)) else { return nil }
        // Mail programs and terminals break long addresses into lines; a space may belong to one.
        let whole = String(cString: text).filter { !$0.isNewline }.drop { $0.isWhitespace }
        guard let last = whole.lastIndex(where: { !$0.isWhitespace }) else { return nil }
        let address = String(whole[...last])
        let start = address.prefix(8).lowercased()
        return start.hasPrefix("http://") && address.count > 7 || start == "https://" && address.count > 8
            ? address : nil
    }
}
