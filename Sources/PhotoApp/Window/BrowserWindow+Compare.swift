import CGtk
import GtkSupport
import PhotoBrowser
import PhotoPipeline

extension BrowserWindow {
    /// What concerns the photos that are behind the page that compares.
    private static let behind = [
        "retry", "reload", "pause", "search", "save", "layout", "show-list", "show-grid", "order", "reversed",
    ]

    /// Compares the strategies with the photos that are open, or with the sample where none are.
    func compare() {
        // What is open stays that, also where a search finds none of it.
        if let list, list.count > 0 { return compare(list) }
        guard list == nil, let sample = DataFiles.sampleCatalog else {
            say(tr("Open photos first, which can be compared."))
            return
        }
        open(.path(sample))
        let loading = loadingTask
        Task { [weak self] in
            await loading?.value
            if let self, let list, !isClosed, list.count > 0 { compare(list) }
        }
    }

    private func compare(_ list: PhotoList) {
        guard !comparePage.isOpen else { return }
        closeLarge()
        actions.enable(Self.behind, false)
        comparePage.start(
            list, shownName, AppPipeline.configuration,
            over: networkBar.isShown || tour.isListShown ? network.speed : nil)
        gtk_stack_set_visible_child_name(screens, "compare")
        comparePage.takeFocus()
    }

    /// Goes back to the photos.
    func closeComparison() {
        guard comparePage.isOpen else { return }
        comparePage.leave()
        gtk_stack_set_visible_child_name(screens, "browser")
        gtk_widget_set_visible(comparePage.widget, 0)
        actions.enable(Self.behind, list != nil)
        page?.takeFocus()
    }
}
