import Foundation
import GtkSupport
import ImageCodecs
import PhotoBrowser
import PhotoPipeline

extension BrowserWindow {
    /// Offers it where the desktop can do it, and where there are photos.
    func offerWallpaper() {
        actions.enable(["wallpaper"], wallpaper.isThere && list.map { !$0.catalog.isEmpty } ?? false)
    }

    /// Has the desktop ask whether the photo that is looked at or chosen, with its look, shall be the wallpaper.
    ///
    /// - Parameter wanted: The one whose menu was used; nil where a key or the window's menu was.
    func setWallpaper(_ wanted: Photo.ID? = nil) {
        guard let list, !comparePage.isOpen else { return }
        viewer.slideshow.end()
        guard let photo = wanted ?? concerned(by: nil).first else {
            say(tr("Choose a photo first."))
            return
        }
        let file: WallpaperFile
        do { file = try WallpaperFile() } catch {
            return MessageDialog.show(over: window, tr("The Wallpaper Was Not Set"), error.localizedDescription)
        }
        let encoder = ImageEncoder(format: .jpeg, quality: 95)
        let job = SaveJob([SaveJob.File(photo, to: file.path, as: encoder)], of: list) { [self] job in
            saves.end(job)
            guard !isClosed, !job.isCancelled else { return file.remove() }
            guard let error = job.failures.first?.error else { return offer(file) }
            file.remove()
            MessageDialog.show(over: window, tr("The Wallpaper Was Not Set"), error.sentence)
        }
        let text = tr("Preparing “{name}” as wallpaper…").filled(["name": list[photo].name])
        saves.begin(job, text, isOfWindow: true)
    }

    private func offer(_ file: WallpaperFile) {
        wallpaper.set(file.path, over: window) { [weak self] answer in
            if answer == .accepted { file.keep() } else { file.remove() }
            guard let self, !isClosed else { return }
            switch answer {
            case .accepted: say(tr("The desktop has taken the photo as its wallpaper."))
            case .cancelled: say(tr("The wallpaper is the same as before."))
            case .refused(let reason):
                MessageDialog.show(
                    over: window, tr("The Wallpaper Was Not Set"), reason ?? tr("The desktop gave no reason."))
            }
        }
    }
}
