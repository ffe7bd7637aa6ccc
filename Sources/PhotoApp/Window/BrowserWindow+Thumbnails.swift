import CGtk
import GtkSupport
import Operations
import PhotoBrowser
import PhotoPipeline

extension BrowserWindow {
    /// Makes known how one says how large photos are shown.
    func addThumbnailActions() {
        actions.addChoice("thumbnails", value: preferences.thumbnails.rawValue) { [unowned self] in
            if let size = ThumbnailSize(rawValue: $0) { show(size) }
        }
        actions.add("larger", keys: ["<Control>plus", "<Control>equal", "<Control>KP_Add"]) { [unowned self] in
            enlarge(true)
        }
        actions.add("smaller", keys: ["<Control>minus", "<Control>KP_Subtract"]) { [unowned self] in enlarge(false) }
    }

    /// Shows the photos, or the one that is seen in large, larger or smaller.
    private func enlarge(_ isLarger: Bool) {
        guard !comparePage.isOpen else { return }
        if viewer.photo != nil {
            viewer.photoCanvas.zoom.magnify(by: isLarger ? 1.25 : 0.8)
        } else if let size = preferences.thumbnails.next(isLarger: isLarger) {
            actions.choose("thumbnails", size.rawValue)
        }
    }

    private func show(_ size: ThumbnailSize) {
        preferences.thumbnails = size
        takeThumbnails()
    }

    /// Shows the photos in the size that was chosen, at the same place, where they have another one. They are asked for anew, as sharp
    /// as they are shown.
    func takeThumbnails() {
        // What is about to be there will have it, and so will what the tour gives back.
        guard let list, loadingTask == nil, !tour.isListShown,
            list.resize != AppStyle.rowSize(preferences.thumbnails, scale: scale)
        else { return }
        let isPaused = list.isPaused
        let suspended = pipeline.pending.queues.filter(\.isSuspended)
        giveBack(tourOpened)
        self.list?.rankByState(like: list)
        if isPaused {
            actions.turn("pause", on: true)
        } else {
            for queue in suspended { queue.isSuspended = true }
        }
        refreshStates()
    }
}
