import CGtk
import GtkSupport
import PhotoPipeline

extension BrowserWindow {
    /// Begins a slideshow, in the large view and with the photo that is seen or chosen there or in the list, or ends it.
    func turnSlideshow(on isOn: Bool) {
        guard isOn else { return viewer.slideshow.end() }
        if viewer.list == nil, !comparePage.isOpen, let first = concerned(by: nil).first ?? page?.topPhoto {
            openLarge(first)
        }
        viewer.slideshow.start()
        if !viewer.slideshow.isRunning { actions.turn("slideshow", on: false) }
    }

    /// Fills the screen while the slideshow runs.
    func slideshowChanged(isRunning: Bool) {
        guard isRunning else {
            slideshowScreen?.end()
            slideshowScreen = nil
            return actions.turn("slideshow", on: false)
        }
        if let window { slideshowScreen = FilledScreen(application, window, reason: tr("Slideshow")) }
    }
}
