import CGtk
import GtkSupport

/// Rows of a name and what is said of it.
enum DetailRows {
    /// Adds a row for each line.
    ///
    /// - Returns: The rows.
    @discardableResult
    static func add(
        _ lines: [(name: String, value: String)], to group: UnsafeMutablePointer<AdwPreferencesGroup>?
    ) -> [Widget] {
        lines.compactMap { name, value in
            guard let row = adw_action_row_new() else { return nil }
            adw_preferences_row_set_title(cast(row), name.escapedForMarkup)
            adw_action_row_set_subtitle(cast(row), value.escapedForMarkup)
            // Screen readers say the value too, and the name once.
            gtk_accessible_reset_relation(OpaquePointer(row), GTK_ACCESSIBLE_RELATION_LABELLED_BY)
            cgtk_set_accessible_label(row, "\(name): \(value)")
            adw_preferences_group_add(group, row)
            return row
        }
    }
}
