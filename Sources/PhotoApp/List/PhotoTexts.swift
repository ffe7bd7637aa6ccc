import CGtk
import GtkSupport
import PhotoBrowser
import PhotoPipeline

/// A photo's name, and below it its state.
final class PhotoTexts {
    let widget = gtk_box_new(GTK_ORIENTATION_VERTICAL, 3)
    private let name = gtk_label_new(nil)
    private let state = gtk_label_new(nil)
    private let keepsLines: Bool
    private var shown = Texts(name: "", state: "", detail: nil)

    private struct Texts: Equatable {
        var name: String
        var state: String
        var detail: String?
    }

    /// - Parameters:
    ///   - xalign: 0 for the left, 0.5 for the middle.
    ///   - keepsLines: Whether the line of the state stays where there is none to say, so that what is below does not move.
    init(xalign: Float, keepsLines: Bool) {
        self.keepsLines = keepsLines
        for (label, style) in [(name, "heading"), (state, "caption")] {
            guard let label else { continue }
            gtk_label_set_xalign(OpaquePointer(label), xalign)
            gtk_label_set_ellipsize(OpaquePointer(label), PANGO_ELLIPSIZE_END)
            gtk_label_set_single_line_mode(OpaquePointer(label), 1)
            gtk_widget_add_css_class(label, style)
            gtk_box_append(cast(widget), label)
        }
        guard let name else { return }
        gtk_widget_set_has_tooltip(name, 1)
        connect(name, "query-tooltip") { (_: Int32, _: Int32, _: Bool, tooltip: SignalPointer) -> Bool in
            // Only what does not fit has to be shown elsewhere.
            guard pango_layout_is_ellipsized(gtk_label_get_layout(OpaquePointer(name))) != 0 else { return false }
            gtk_tooltip_set_text(tooltip.pointer, gtk_label_get_text(OpaquePointer(name)))
            return true
        }
    }

    /// Takes no more width than so many characters need, however long the texts are.
    func limit(toCharacters count: Int32) {
        for label in [name, state].compactMap({ $0 }) {
            gtk_label_set_max_width_chars(OpaquePointer(label), count)
        }
    }

    func show(_ row: PhotoList.Row, _ text: String) {
        // That all is well the picture says.
        let text = row.state == .filtered && row.damage == nil ? row.remark ?? "" : text
        let detail = row.trouble?.detail
        let texts = Texts(name: row.name, state: text, detail: detail)
        // A text that is set is laid out anew, with all that is around it, even where it is the same.
        guard texts != shown, let name, let state else { return }
        if texts.name != shown.name { gtk_label_set_text(OpaquePointer(name), texts.name) }
        if texts.state != shown.state {
            gtk_label_set_text(OpaquePointer(state), texts.state)
            if !keepsLines { gtk_widget_set_visible(state, texts.state.isEmpty ? 0 : 1) }
        }
        if detail != shown.detail { gtk_widget_set_tooltip_text(state, detail) }
        shown = texts
        gtk_widget_add_css_class(state, detail == nil ? "dim-label" : "reason")
        gtk_widget_remove_css_class(state, detail == nil ? "reason" : "dim-label")
    }
}
