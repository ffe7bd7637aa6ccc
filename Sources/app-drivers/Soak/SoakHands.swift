import CGtk
import GtkSupport
import PhotoApp

/// What somebody does to the windows: actions by name, and signals of widgets as keys and the mouse cause them.
struct SoakHands {
    let window: Widget?

    /// Who has an action: the window, or the program.
    private func owner(of action: String) -> OpaquePointer? {
        guard let window, let application = gtk_window_get_application(cast(window)) else { return nil }
        let own = OpaquePointer(window)
        return g_action_group_has_action(own, action) != 0 ? own : OpaquePointer(application)
    }

    /// Calls an action, as a menu does.
    func call(_ action: String, _ text: String? = nil) {
        guard let owner = owner(of: action) else { return }
        g_action_group_activate_action(owner, action, text.flatMap { g_variant_new_string($0) })
    }

    /// Turns an action that is on or off, as a button does.
    func turn(_ action: String, on isOn: Bool) {
        guard let owner = owner(of: action), g_action_group_get_action_enabled(owner, action) != 0 else { return }
        g_action_group_change_action_state(owner, action, g_variant_new_boolean(isOn ? 1 : 0))
    }

    /// Chooses a value of an action, as a menu does.
    func choose(_ action: String, _ value: String) {
        guard let owner = owner(of: action), g_action_group_get_action_enabled(owner, action) != 0 else { return }
        g_action_group_change_action_state(owner, action, g_variant_new_string(value))
    }

    /// Clicks at a row.
    func open(row: Int, of view: Widget) {
        gtk_widget_activate_action_variant(view, "list.activate-item", g_variant_new_uint32(guint32(row)))
    }

    /// Presses a key where a widget takes keys itself.
    func press(_ key: Int32, in widget: Widget?) {
        guard let widget, let controller = controllers(gtk_event_controller_key_get_type(), of: widget).first
        else {
            return
        }
        var values = [GValue](repeating: GValue(), count: 4)
        g_value_init(&values[0], gtk_event_controller_key_get_type())
        g_value_set_object(&values[0], UnsafeMutableRawPointer(controller))
        g_value_init(&values[1], cgtk_fundamental_uint())
        g_value_set_uint(&values[1], guint(key))
        g_value_init(&values[2], cgtk_fundamental_uint())
        g_value_init(&values[3], gdk_modifier_type_get_type())
        Self.emit("key-pressed", &values)
    }

    /// Drops a file onto the window.
    func drop(_ path: String) {
        guard let window, let target = controllers(gtk_drop_target_get_type(), of: window).first,
            let file = g_file_new_for_path(path)
        else { return }
        var files = GSList(data: UnsafeMutableRawPointer(file), next: nil)
        var dropped = GValue()
        g_value_init(&dropped, cgtk_type_file_list())
        g_value_take_boxed(&dropped, gdk_file_list_new_from_list(&files).map { UnsafeMutableRawPointer($0) })
        g_object_unref(UnsafeMutableRawPointer(file))
        var values = [GValue](repeating: GValue(), count: 4)
        g_value_init(&values[0], gtk_drop_target_get_type())
        g_value_set_object(&values[0], UnsafeMutableRawPointer(target))
        g_value_init(&values[1], g_value_get_type())
        g_value_set_boxed(&values[1], &dropped)
        g_value_init(&values[2], cgtk_fundamental_double())
        g_value_init(&values[3], cgtk_fundamental_double())
        Self.emit("drop", &values)
        g_value_unset(&dropped)
    }

    /// Emits a signal that answers whether it was handled; the first value is what emits it.
    private static func emit(_ signal: String, _ values: inout [GValue]) {
        var handled = GValue()
        g_value_init(&handled, cgtk_fundamental_boolean())
        g_signal_emitv(values, g_signal_lookup(signal, cgtk_value_type(&values[0])), 0, &handled)
        g_value_unset(&handled)
        for index in values.indices { g_value_unset(&values[index]) }
    }

    /// Answers a dialog in one of the ways it offers, or closes it.
    func answer(_ dialog: Widget, accepting isAccepted: Bool) {
        if SoakEyes.isA(dialog, adw_message_dialog_get_type()) {
            adw_message_dialog_response(cast(dialog), isAccepted ? "open" : "cancel")
            // Its buttons close it; the response alone does not.
            gtk_window_destroy(cast(dialog))
        } else if SoakEyes.isA(dialog, gtk_dialog_get_type()) {
            let response = isAccepted && Self.isReady(dialog) ? GTK_RESPONSE_ACCEPT : GTK_RESPONSE_CANCEL
            gtk_dialog_response(cast(dialog), response.rawValue)
        } else {
            gtk_window_close(cast(dialog))
        }
    }

    /// Whether a dialog has read its folder, if it is one that chooses files. A response by itself that came before made GTK 4.8 complain;
    /// the same by keys did not.
    private static func isReady(_ dialog: Widget) -> Bool {
        guard SoakEyes.isA(dialog, gtk_file_chooser_get_type()) else { return true }
        guard let folder = gtk_file_chooser_get_current_folder(OpaquePointer(dialog)) else { return false }
        g_object_unref(UnsafeMutableRawPointer(folder))
        return true
    }
}
