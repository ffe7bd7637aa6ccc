import CGtk
import GtkSupport

/// Rows of a name and what is said of it.
enum DetailRows {
    /// Adds a row for each line.
    static func add(_ lines: [(name: String, value: String)], to group: UnsafeMutablePointer<AdwPreferencesGroup>?) {
        for (name, value) in lines {
            guard let row = adw_action_row_new() else { continue }
            adw_preferences_row_set_title(cast(row), name.escapedForMarkup)
            adw_action_row_set_subtitle(cast(row), value.escapedForMarkup)
            // Screen readers say the value too, and the name once.
            gtk_accessible_reset_relation(OpaquePointer(row), GTK_ACCESSIBLE_RELATION_LABELLED_BY)
            cgtk_set_accessible_label(row, "\(name): \(value)")
            adw_preferences_group_add(group, row)
        }
    }
}
