import CGtk
import GtkSupport
import PhotoBrowser
import PhotoPipeline

extension BrowserWindow {
    /// Ends all work, but for saves, and notes what the next start begins with; the widgets are gone in a moment.
    func end() {
        keepPreferences()
        tour.end()
        ownLooks.keep(isWaiting: true)
        viewer.leave()
        comparePage.leave()
        page?.leave()
        // What is still under way reports to nobody: the widgets are gone in a moment.
        list?.onChange = nil
        list?.onRearranging = nil
        list?.onArrange = nil
        list?.close()
        panel.isOpen = false
        panel.endSteps()
        isClosed = true
        // A catalog that arrives now, or an answer of a dialog, is nobody's. An open file chooser goes with the
        // program: closed while it reads its folder, GTK 4.8 says in another dialog that this was cancelled.
        giveUpOpening()
        PrintedPhotos.dismiss(over: window)
        Drops.rejectAll(over: window)
        // GTK complains of one that is open when its window goes.
        for looks in [header.looks, viewer.looks] { looks.close() }
        if saves.count == 0 {
            pipeline.pending.cancelAll()
        } else {
            // All else is cancelled already; these go on to their end, and nobody can resume them any more.
            pipeline.pending.isSuspended = false
        }
        saves.leave()
    }

    private func keepPreferences() {
        preferences.isMaximized = gtk_window_is_maximized(cast(window)) != 0
        if !preferences.isMaximized {
            var (width, height): (Int32, Int32) = (0, 0)
            gtk_window_get_default_size(cast(window), &width, &height)
            if width > 0 { preferences.width = Int(width) }
            if height > 0 { preferences.height = Int(height) }
        }
        keepPlace()
        savePreferences()
    }

    /// Notes where the photos that are shown are scrolled to, and what they are searched for.
    func keepPlace() {
        guard keepsPlace, let list, let page else { return }
        preferences.search = list.arrangement.search
        let top = placeToShow ?? page.topPhoto
        if placeBeforeSearch != nil, let top { preferences.placeInSearch = KeptPlace(top, in: list.catalog) }
        if let place = placeBeforeSearch ?? top { preferences.place = KeptPlace(place, in: list.catalog) }
    }
}
