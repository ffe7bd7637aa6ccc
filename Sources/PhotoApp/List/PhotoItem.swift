package import CGtk
import PhotoBrowser
import PhotoPipeline

package typealias Widget = UnsafeMutablePointer<GtkWidget>

/// A recycled widget that shows one photo at a time.
protocol PhotoItem: AnyObject {
    /// The widget.
    var widget: Widget? { get }
    /// The photo that is shown at present.
    var photo: Photo.ID? { get }

    /// Shows a row's content; what the widget showed of another photo is gone at once.
    func show(_ row: PhotoList.Row, isPaused: Bool)
    /// Shows nothing any more.
    func clear()
}

/// Has screen readers say something after a widget's name; nil and an empty text for nothing.
func describe(_ widget: Widget, _ text: String?) {
    if let text, !text.isEmpty {
        cgtk_set_accessible_description(widget, text)
    } else {
        gtk_accessible_reset_property(OpaquePointer(widget), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION)
    }
}

extension PhotoItem {
    /// Tells screen readers what the cell around the widget is about.
    func nameCell(_ row: PhotoList.Row, _ state: String) {
        guard let widget, let cell = gtk_widget_get_parent(widget) else { return }
        cgtk_set_accessible_label(cell, [row.name, state, row.remark].compactMap(\.self).joined(separator: ", "))
        // What is seen of it by the pointer alone.
        describe(cell, row.trouble?.detail)
    }
}
