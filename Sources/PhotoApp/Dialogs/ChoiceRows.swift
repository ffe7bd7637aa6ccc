import CGtk
import GtkSupport

/// Rows in which somebody chooses something.
enum ChoiceRows {
    /// Rows below a title, which may be empty.
    static func group(_ title: String, _ rows: [Widget?]) -> UnsafeMutablePointer<AdwPreferencesGroup>? {
        guard let group = adw_preferences_group_new() else { return nil }
        adw_preferences_group_set_title(cast(group), title.escapedForMarkup)
        for row in rows.compactMap({ $0 }) { adw_preferences_group_add(cast(group), row) }
        return cast(group)
    }

    /// One of several.
    static func choice(_ title: String, _ texts: [String], _ chosen: Int, _ onChoose: @escaping (Int) -> Void)
        -> Widget?
    {
        guard let row = adw_combo_row_new(), let list = gtk_string_list_new(nil) else { return nil }
        for text in texts { gtk_string_list_append(list, text) }
        adw_preferences_row_set_title(cast(row), title.escapedForMarkup)
        adw_combo_row_set_model(cast(row), list)
        g_object_unref(UnsafeMutableRawPointer(list))
        adw_combo_row_set_selected(cast(row), guint(chosen))
        connect(row, "notify::selected") {
            let index = Int(adw_combo_row_get_selected(cast(row)))
            if texts.indices.contains(index) { onChoose(index) }
        }
        return row
    }

    /// Yes or no.
    static func toggle(
        _ title: String, _ text: String, _ isOn: Bool, _ onSwitch: @escaping (Bool) -> Void
    ) -> Widget? {
        guard let row = adw_action_row_new(), let toggle = gtk_switch_new() else { return nil }
        adw_preferences_row_set_title(cast(row), title.escapedForMarkup)
        adw_action_row_set_subtitle(cast(row), text.escapedForMarkup)
        gtk_widget_set_valign(toggle, GTK_ALIGN_CENTER)
        gtk_switch_set_active(OpaquePointer(toggle), isOn ? 1 : 0)
        cgtk_set_accessible_label(toggle, title)
        adw_action_row_add_suffix(cast(row), toggle)
        adw_action_row_set_activatable_widget(cast(row), toggle)
        connect(toggle, "notify::active") { onSwitch(gtk_switch_get_active(OpaquePointer(toggle)) != 0) }
        return row
    }

    /// A whole number within bounds.
    static func number(
        _ title: String, _ text: String, _ value: Int, in bounds: ClosedRange<Int>, step: Int,
        _ onChange: @escaping (Int) -> Void
    ) -> Widget? {
        let (lowest, highest) = (Double(bounds.lowerBound), Double(bounds.upperBound))
        guard let row = adw_action_row_new(),
            let spin = gtk_spin_button_new_with_range(lowest, highest, Double(step))
        else { return nil }
        adw_preferences_row_set_title(cast(row), title.escapedForMarkup)
        adw_action_row_set_subtitle(cast(row), text.escapedForMarkup)
        gtk_widget_set_valign(spin, GTK_ALIGN_CENTER)
        gtk_spin_button_set_numeric(OpaquePointer(spin), 1)
        gtk_spin_button_set_value(OpaquePointer(spin), Double(value))
        adw_action_row_add_suffix(cast(row), spin)
        adw_action_row_set_activatable_widget(cast(row), spin)
        connect(spin, "value-changed") { onChange(Int(gtk_spin_button_get_value_as_int(OpaquePointer(spin)))) }
        return row
    }
}
