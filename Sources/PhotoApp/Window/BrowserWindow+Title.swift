import CGtk
import GtkSupport
import PhotoBrowser
import PhotoPipeline

extension BrowserWindow {
    /// Says what is shown, in the header and to the desktop, which lists windows by their titles.
    ///
    /// - Parameter name: What it is called; nil for nothing.
    func title(_ name: String?, subtitle: String = "") {
        header.show(title: name ?? tr("Classic Photos"), subtitle: subtitle)
        // In large, the window is about one photo.
        if viewer.photo == nil { titleWindow(name) }
    }

    /// Tells the desktop which photo is seen in large.
    func titleLarge(_ photo: Photo.ID) {
        if let list { titleWindow(list[photo].name) }
    }

    /// Tells the desktop what the window is about; nil for nothing.
    func titleWindow(_ name: String?) {
        let whole = name.map { tr("{name} – Classic Photos").filled(["name": $0]) } ?? tr("Classic Photos")
        gtk_window_set_title(cast(window), whole)
    }
}
