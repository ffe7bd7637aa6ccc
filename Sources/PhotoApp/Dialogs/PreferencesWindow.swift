import CGtk
import GtkSupport
import Transfers

/// The window of preferences; what is changed counts at once.
enum PreferencesWindow {
    /// - Parameters:
    ///   - diskCache: What was downloaded and kept, which can be cleared here; nil where there is no such place.
    ///   - onChange: Called with all of the preferences when one has changed.
    static func show(
        over window: Widget?, _ preferences: Preferences, _ diskCache: DiskCache?,
        onChange: @escaping (Preferences) -> Void
    ) {
        // Not one of libadwaita's windows for preferences, which in 1.2 keep their rows when they are gone.
        guard let dialog = gtk_window_new(), let page = adw_preferences_page_new() else { return }
        let state = State(preferences, onChange)
        gtk_window_set_title(cast(dialog), tr("Preferences"))
        gtk_window_set_default_size(cast(dialog), 560, 420)
        gtk_window_set_transient_for(cast(dialog), cast(window))
        gtk_window_set_modal(cast(dialog), 1)
        gtk_window_set_destroy_with_parent(cast(dialog), 1)
        let looks = group(tr("Appearance"), [appearance(state)])
        let network = group(
            tr("Network"),
            [
                toggle(
                    tr("Allow Private Addresses"),
                    tr("Catalogs from the web may lead to this computer and to devices of your network."),
                    preferences.allowsPrivateAddresses
                ) { state.change(\.allowsPrivateAddresses, to: $0) },
                toggle(
                    tr("Keep Downloads"),
                    tr("Photos show at once the next time, and without a network. From the next start on."),
                    preferences.keepsImages
                ) { state.change(\.keepsImages, to: $0) },
                diskCache.flatMap { KeptDownloadsRow($0).widget },
            ])
        for group in [looks, network].compactMap({ $0 }) { adw_preferences_page_add(cast(page), group) }
        gtk_window_set_titlebar(cast(dialog), adw_header_bar_new())
        gtk_window_set_child(cast(dialog), cast(page))
        closeByEscape(dialog)
        gtk_window_present(cast(dialog))
    }

    /// What the rows change together.
    private final class State {
        var preferences: Preferences
        private let onChange: (Preferences) -> Void

        init(_ preferences: Preferences, _ onChange: @escaping (Preferences) -> Void) {
            self.preferences = preferences
            self.onChange = onChange
        }

        func change<Value>(_ part: WritableKeyPath<Preferences, Value>, to value: Value) {
            preferences[keyPath: part] = value
            onChange(preferences)
        }
    }

    private static func group(_ title: String, _ rows: [Widget?]) -> UnsafeMutablePointer<AdwPreferencesGroup>? {
        guard let group = adw_preferences_group_new() else { return nil }
        adw_preferences_group_set_title(cast(group), title.escapedForMarkup)
        for row in rows.compactMap({ $0 }) { adw_preferences_group_add(cast(group), row) }
        return cast(group)
    }

    private static func appearance(_ state: State) -> Widget? {
        let choices: [(value: Preferences.Appearance, text: String)] = [
            (.system, tr("As the System")), (.light, tr("Light")), (.dark, tr("Dark")),
        ]
        guard let row = adw_combo_row_new(), let texts = gtk_string_list_new(nil) else { return nil }
        for choice in choices { gtk_string_list_append(texts, choice.text) }
        adw_preferences_row_set_title(cast(row), tr("Light or Dark"))
        adw_combo_row_set_model(cast(row), texts)
        g_object_unref(UnsafeMutableRawPointer(texts))
        let chosen = choices.firstIndex { $0.value == state.preferences.appearance } ?? 0
        adw_combo_row_set_selected(cast(row), guint(chosen))
        connect(row, "notify::selected") {
            let index = Int(adw_combo_row_get_selected(cast(row)))
            if choices.indices.contains(index) { state.change(\.appearance, to: choices[index].value) }
        }
        return row
    }

    private static func toggle(
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
}
