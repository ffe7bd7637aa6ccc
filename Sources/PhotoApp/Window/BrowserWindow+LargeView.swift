import CGtk
import GtkSupport
import PhotoBrowser
import PhotoPipeline

extension BrowserWindow {
    /// Shows a photo in large.
    func openLarge(_ photo: Photo.ID) {
        guard let list else { return }
        page?.cover(by: photo)
        viewer.show(photo, of: list)
        gtk_stack_set_visible_child_name(screens, "viewer")
    }

    /// Goes back from the large view to the photos.
    func closeLarge() {
        guard viewer.list != nil else { return }
        let photo = viewer.photo
        viewer.leave()
        titleWindow(shownName)
        relief.leaveLargeImages(above: AppStyle.rowSide(preferences.thumbnails, scale: scale))
        gtk_stack_set_visible_child_name(screens, "browser")
        page?.takeFocus()
        // The list goes along with whoever has gone on to other photos.
        if let photo { page?.uncover(at: photo) }
    }
}
