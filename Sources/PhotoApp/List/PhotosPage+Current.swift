import CGtk
import GtkSupport
import PhotoBrowser
import PhotoPipeline

extension PhotosPage {
    /// Of the photos that are chosen, the one that is meant where only one can be: the one that the keyboard is at, otherwise the first
    /// that is on screen, otherwise the first of all. Nil where none is chosen.
    var current: Photo.ID? {
        if let focused, selection.contains(focused) { return focused }
        let visible = visibleRows.clamped(to: 0..<list.count).lazy.map { self.list.photo(atRow: $0) }
        return visible.first { self.selection.contains($0) } ?? selection.first
    }

    /// The photo that the keyboard is at.
    private var focused: Photo.ID? {
        guard let view, let cell = gtk_widget_get_focus_child(view) else { return nil }
        return item(in: cell)?.photo
    }
}
