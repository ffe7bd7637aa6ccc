import CGtk
import GtkSupport

/// Where a name is typed; it opens by itself when one begins to type.
final class SearchBar {
    let widget = gtk_search_bar_new()
    /// Called with what to search for, while it is typed.
    var onSearch: (String) -> Void = { _ in }
    /// Called when it opens or closes by itself.
    var onSwitch: (Bool) -> Void = { _ in }

    private let entry = gtk_search_entry_new()
    private let found = gtk_label_new(nil)

    init() {
        guard let widget, let entry, let found, let box = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 12) else { return }
        gtk_widget_set_size_request(entry, 280, -1)
        gtk_widget_set_hexpand(entry, 1)
        cgtk_set_accessible_label(entry, tr("Search by name"))
        setTextProperty(entry, "placeholder-text", tr("Search by name"))
        gtk_widget_add_css_class(found, "dim-label")
        gtk_widget_add_css_class(found, "numeric")
        gtk_box_append(cast(box), entry)
        gtk_box_append(cast(box), found)
        gtk_search_bar_set_child(OpaquePointer(widget), box)
        gtk_search_bar_connect_entry(OpaquePointer(widget), OpaquePointer(entry))
        connect(entry, "search-changed") { [weak self] in
            let text = gtk_editable_get_text(OpaquePointer(entry)).map { String(cString: $0) } ?? ""
            self?.onSearch(text)
        }
        connect(widget, "notify::search-mode-enabled") { [weak self] in
            guard let self else { return }
            onSwitch(isOpen)
            if !isOpen { onSearch("") }
        }
    }

    /// Whether it is open; closing ends the search.
    var isOpen: Bool {
        get { widget.map { gtk_search_bar_get_search_mode(OpaquePointer($0)) != 0 } ?? false }
        set {
            guard let widget, newValue != isOpen else { return }
            gtk_search_bar_set_search_mode(OpaquePointer(widget), newValue ? 1 : 0)
            if newValue { gtk_widget_grab_focus(entry) }
        }
    }

    /// Has keys go to the entry.
    func takeFocus() { gtk_widget_grab_focus(entry) }

    /// Begins to search when keys are typed in a widget that take no text themselves; nil for nowhere.
    func capture(keysOf other: Widget?) {
        if let widget { gtk_search_bar_set_key_capture_widget(OpaquePointer(widget), other) }
    }

    /// Opens with what was searched for before; stays closed where that is nothing.
    func open(with text: String) {
        guard let entry, !text.isEmpty else { return }
        gtk_editable_set_text(OpaquePointer(entry), text)
        isOpen = true
    }

    /// Forgets what was searched for.
    func close() {
        if let entry { gtk_editable_set_text(OpaquePointer(entry), "") }
        isOpen = false
        tell(found: nil)
    }

    /// Says how many were found; nil where nothing is searched for.
    func tell(found count: Int?) {
        guard let found else { return }
        let text = count.map { tr("{count} photo", "{count} photos", $0) } ?? ""
        gtk_label_set_text(OpaquePointer(found), text)
    }
}

/// Sets a property of an object to a text.
func setTextProperty(_ widget: Widget, _ name: String, _ text: String) {
    var value = GValue()
    g_value_init(&value, cgtk_fundamental_string())
    g_value_set_string(&value, text)
    g_object_set_property(cast(widget), name, &value)
    g_value_unset(&value)
}
