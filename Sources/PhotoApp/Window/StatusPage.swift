import CGtk
import GtkSupport

/// A page that says one thing in large, with something below it.
final class StatusPage {
    /// The page's widget.
    let widget = adw_status_page_new()

    init(icon: String?, title: String, text: String = "", below child: UnsafeMutablePointer<GtkWidget>? = nil) {
        guard let widget else { return }
        let page = OpaquePointer(widget)
        if let icon { adw_status_page_set_icon_name(page, icon) }
        adw_status_page_set_title(page, title)
        say(text)
        if let child { adw_status_page_set_child(page, child) }
    }

    /// Says something else below the title; any text, not markup.
    ///
    /// - Parameter detail: More about it, which stands below in small.
    func say(_ text: String, detail: String = "") {
        guard let widget else { return }
        let small = detail.isEmpty ? "" : "\n\n<small>\(detail.escapedForMarkup)</small>"
        adw_status_page_set_description(OpaquePointer(widget), text.escapedForMarkup + small)
    }

    /// Buttons side by side, or below each other where the window is narrow; the first is the one to press.
    static func buttons(_ buttons: [(title: String, action: String)]) -> UnsafeMutablePointer<GtkWidget>? {
        guard let squeezer = adw_squeezer_new() else { return nil }
        for orientation in [GTK_ORIENTATION_HORIZONTAL, GTK_ORIENTATION_VERTICAL] {
            if let box = row(of: buttons, orientation) { adw_squeezer_add(OpaquePointer(squeezer), box) }
        }
        adw_squeezer_set_homogeneous(OpaquePointer(squeezer), 0)
        return squeezer
    }

    private static func row(
        of buttons: [(title: String, action: String)], _ orientation: GtkOrientation
    ) -> UnsafeMutablePointer<GtkWidget>? {
        guard let box = gtk_box_new(orientation, 12) else { return nil }
        gtk_widget_set_halign(box, GTK_ALIGN_CENTER)
        for (index, entry) in buttons.enumerated() {
            guard let button = gtk_button_new_with_mnemonic(entry.title) else { continue }
            gtk_actionable_set_action_name(OpaquePointer(button), entry.action)
            // GTK makes a name of the text with the mark for the key, and again without it.
            cgtk_set_accessible_label(button, entry.title.filter { $0 != "_" })
            gtk_widget_add_css_class(button, "pill")
            if index == 0 { gtk_widget_add_css_class(button, "suggested-action") }
            gtk_box_append(cast(box), button)
        }
        return box
    }
}
