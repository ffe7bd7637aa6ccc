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

extension PhotoItem {
    /// Tells screen readers what the cell around the widget is about.
    func nameCell(_ row: PhotoList.Row, _ state: String) {
        guard let widget, let cell = gtk_widget_get_parent(widget) else { return }
        cgtk_set_accessible_label(cell, [row.name, state, row.remark].compactMap(\.self).joined(separator: ", "))
    }
}
