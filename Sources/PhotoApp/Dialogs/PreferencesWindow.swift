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
        gtk_window_set_default_size(cast(dialog), 560, 520)
        gtk_window_set_transient_for(cast(dialog), cast(window))
        gtk_window_set_modal(cast(dialog), 1)
        gtk_window_set_destroy_with_parent(cast(dialog), 1)
        let looks = ChoiceRows.group(tr("Appearance"), [appearance(state)])
        let kept = diskCache.map { KeptDownloadsRow($0) }
        let network = ChoiceRows.group(
            tr("Network"),
            [
                ChoiceRows.toggle(
                    tr("Allow Private Addresses"),
                    tr("Catalogs from the web may lead to this computer and to devices of your network."),
                    preferences.allowsPrivateAddresses
                ) { state.change(\.allowsPrivateAddresses, to: $0) },
                ChoiceRows.toggle(
                    tr("Keep Downloads"),
                    tr(
                        "Photos show at once the next time; those of a catalog on this computer without a network, too. It counts for new windows."
                    ),
                    preferences.keepsImages
                ) { state.change(\.keepsImages, to: $0) },
                kept.flatMap { keptSize(state, $0) },
                kept?.widget,
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

    private static func keptSize(_ state: State, _ kept: KeptDownloadsRow) -> Widget? {
        let sizes = KeptSize.choices(with: state.preferences.keptBytes)
        let chosen = sizes.firstIndex(of: state.preferences.keptBytes) ?? 0
        return ChoiceRows.choice(tr("Space for Downloads"), sizes.map(\.sizeText), chosen) {
            state.change(\.keptBytes, to: sizes[$0])
            kept.setLimit(sizes[$0])
        }
    }

    private static func appearance(_ state: State) -> Widget? {
        let choices: [(value: Preferences.Appearance, text: String)] = [
            (.system, tr("As the System")), (.light, tr("Light")), (.dark, tr("Dark")),
        ]
        let chosen = choices.firstIndex { $0.value == state.preferences.appearance } ?? 0
        return ChoiceRows.choice(tr("Light or Dark"), choices.map(\.text), chosen) {
            state.change(\.appearance, to: choices[$0].value)
        }
    }
}
