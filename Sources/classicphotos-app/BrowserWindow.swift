import CGtk
import GtkSupport
import PhotoBrowser
import PhotoPipeline

/// The window: a header, and below it one of four pages - nothing open, loading, cannot be loaded, the photos.
final class BrowserWindow {
    let pipeline = PhotoPipeline()
    let window: UnsafeMutablePointer<GtkWidget>?
    let header: WindowHeader
    /// What was opened last, for another try.
    var source: Catalog.Source?
    /// Counts what was opened, so that what was given up does not come back when it is loaded at last.
    var loading = 0
    /// The file chooser while it is open.
    var chooser: ObjectReference?

    private let stack = gtk_stack_new()
    private let failure: StatusPage
    private(set) var page: PhotoListPage?

    init(application: UnsafeMutablePointer<GtkApplication>) {
        window = adw_application_window_new(application)
        header = WindowHeader()
        failure = StatusPage(
            icon: "dialog-error-symbolic", title: "The Catalog Cannot Be Loaded",
            below: StatusPage.buttons([("_Try Again", "app.retry"), ("_Open Another…", "app.open")]))
        gtk_window_set_title(cast(window), "Classic Photos")
        gtk_window_set_default_size(cast(window), 720, 640)
        makePages()
        header.onPause = { [unowned self] in
            pipeline.pending.isSuspended = $0
            page?.list.isPaused = $0
            page?.refresh()
        }
        header.onRetryAll = { [unowned self] in page?.list.retryAllFailed() }
        header.onLook = { [unowned self] in page?.list.filter = $0.filter }
        acceptDrops()
        if let window {
            connect(window, "close-request") { [unowned self] () -> Bool in
                page?.list.close()
                pipeline.pending.cancelAll()
                return false
            }
        }
    }

    /// Shows the window.
    func present() { gtk_window_present(cast(window)) }

    /// Closes the window, which ends the program.
    func close() { gtk_window_close(cast(window)) }

    /// Tries again what failed: loading the catalog, or the photos.
    func retry() {
        if let page {
            page.list.retryAllFailed()
        } else if let source {
            open(source)
        }
    }

    // MARK: Pages

    func showLoading(_ name: String) {
        closeList()
        header.show(title: name, subtitle: "Loading…")
        show("loading")
    }

    func showFailure(_ name: String, _ error: Catalog.LoadingError) {
        header.show(title: name, subtitle: "")
        failure.say("\(error)")
        show("failure")
    }

    func showPhotos(of catalog: Catalog, _ name: String) {
        let list = PhotoList(
            catalog: catalog, pipeline: pipeline, longestSide: RowStyle.longestSide, filter: header.look.filter)
        let page = PhotoListPage(list) { [weak self] in self?.updateHeader() }
        self.page = page
        gtk_stack_add_named(OpaquePointer(stack), page.widget, "photos")
        header.show(title: name, subtitle: catalog.count == 1 ? "1 photo" : "\(catalog.count.grouped) photos")
        show(catalog.isEmpty ? "no photos" : "photos")
        updateHeader()
    }

    private func updateHeader() {
        header.update(hasPhotos: page?.list.count ?? 0 > 0, failed: page?.list.failedCount ?? 0)
    }

    private func closeList() {
        guard let page else { return }
        page.list.close()
        gtk_stack_remove(OpaquePointer(stack), page.widget)
        self.page = nil
        updateHeader()
    }

    private func show(_ name: String) {
        gtk_stack_set_visible_child_name(OpaquePointer(stack), name)
    }

    private func makePages() {
        guard let stack, let box = gtk_box_new(GTK_ORIENTATION_VERTICAL, 0) else { return }
        let open = [("_Open Catalog…", "app.open"), ("Open _Folder…", "app.open-folder")]
        let empty = StatusPage(
            icon: "folder-pictures-symbolic", title: "Open a Catalog",
            text: "A list of photographs: a property list, JSON, CSV, plain addresses, or a folder. "
                + "You can also drop it here.",
            below: StatusPage.buttons(open))
        let spinner = gtk_spinner_new()
        gtk_widget_set_size_request(spinner, 32, 32)
        if let spinner { gtk_spinner_start(OpaquePointer(spinner)) }
        let loading = StatusPage(icon: nil, title: "Loading the Catalog", below: spinner)
        let none = StatusPage(
            icon: "folder-pictures-symbolic", title: "No Photos", text: "The catalog has no entries.",
            below: StatusPage.buttons(open))
        for (name, page) in [("empty", empty), ("loading", loading), ("failure", failure), ("no photos", none)] {
            gtk_stack_add_named(OpaquePointer(stack), page.widget, name)
        }
        gtk_widget_set_vexpand(stack, 1)
        gtk_box_append(cast(box), header.widget)
        gtk_box_append(cast(box), stack)
        adw_application_window_set_content(cast(window), box)
        header.update(hasPhotos: false, failed: 0)
    }
}

extension Int {
    /// With a comma between each three digits.
    var grouped: String {
        var digits = String(self)
        var end = digits.count - 3
        while end > 0 {
            digits.insert(",", at: digits.index(digits.startIndex, offsetBy: end))
            end -= 3
        }
        return digits
    }
}
