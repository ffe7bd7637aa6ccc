package import CGtk
import GtkSupport
package import PhotoBrowser
package import PhotoPipeline

/// One photo in large: zoom, pan, before and after, and the way to the next ones.
///
/// It is a list of its own with one visible row, so that it works as rows do: the published picture first, the filtered one
/// faded over it, the neighbours fetched ahead, and everything that is left is cancelled.
package final class PhotoViewer {
    /// The longest side to ask for: enough for most screens, and little enough to be there soon. Who zooms in further gets the rest.
    private static let longestSide = 2_560

    package let widget = gtk_box_new(GTK_ORIENTATION_VERTICAL, 0)
    /// Called when the user is done.
    var onClose: () -> Void = {}
    /// Called with each photo that is shown.
    var onMove: (Photo.ID) -> Void = { _ in }
    /// Called when the picture is to fill the screen, or no longer.
    var onFullscreen: (Bool) -> Void = { _ in }
    /// Called with what was chosen from the picture's menu.
    var onCommand: (PhotoMenu.Command, Photo.ID) -> Void = { _, _ in }
    /// Goes on by itself, while it runs.
    let slideshow: Slideshow
    /// Offers looks.
    let looks = LookChooser(.original)
    /// Whether the window fills the screen: then the header is there only while the pointer is near it.
    var isFullscreen = false {
        didSet {
            guard isFullscreen != oldValue else { return }
            gtk_revealer_set_reveal_child(OpaquePointer(headerBar), isFullscreen ? 0 : 1)
            gtk_button_set_icon_name(
                cast(fullscreen), isFullscreen ? "view-restore-symbolic" : "view-fullscreen-symbolic")
            if let fullscreen {
                WindowHeader.name(fullscreen, isFullscreen ? tr("Leave fullscreen") : tr("Fullscreen"))
            }
        }
    }

    /// What the photo's menu offers for its look.
    var lookEntries: (Photo.ID) -> [(label: String, action: String)] = { _ in [] }
    /// The photo with all looks, in the place of the photo.
    let sideBySide = LooksSideBySide()
    let places = OpaquePointer(gtk_stack_new())
    /// Whether the desktop can have a photo as its wallpaper.
    var canBeWallpaper: () -> Bool = { false }
    package private(set) var list: PhotoList?
    /// The list of the rows, whose small picture is shown until the large one is there.
    private weak var rows: PhotoList?
    package private(set) var photo: Photo.ID?
    let photoCanvas = PhotoCanvas()
    /// Plays it, where it moves.
    private let moving = MovingPhoto()
    /// All pixels of the photo, with its look and as it was published.
    let fullSize = FullSizePhoto()
    let fullSizeOriginal = FullSizePhoto()
    /// Who waits for all pixels of the photo.
    var onFullSize: ((PixelBuffer) -> Void)?
    private let title = adw_window_title_new("", "")
    private let caption = gtk_label_new(nil)
    private let spinner = gtk_spinner_new()
    let compare = gtk_toggle_button_new()
    let divider = gtk_scale_new_with_range(GTK_ORIENTATION_HORIZONTAL, 0, 100, 1)
    let dividerBar = gtk_revealer_new()
    private let retry = gtk_button_new_with_mnemonic(tr("_Try Again"))
    private let failure = gtk_box_new(GTK_ORIENTATION_VERTICAL, 18)
    private let reason = gtk_label_new(nil)
    private let detail = gtk_label_new(nil)
    private let previous = PhotoViewer.makeStep("go-previous-symbolic", tr("Previous photo"), GTK_ALIGN_START)
    private let next = PhotoViewer.makeStep("go-next-symbolic", tr("Next photo"), GTK_ALIGN_END)
    var pointer = Zoom.Point(x: 0, y: 0)
    private let headerBar = gtk_revealer_new()
    private let fullscreen: Widget? = gtk_button_new_from_icon_name("view-fullscreen-symbolic")
    private let image: Widget? = gtk_overlay_new()
    private var menu: PhotoMenu?

    /// - Parameter slideshowInterval: How long a slideshow shows each photo. Default: five seconds.
    init(slideshowInterval: Duration = .seconds(5)) {
        slideshow = Slideshow(interval: slideshowInterval)
        slideshow.onNext = { [weak self] in self?.step(by: 1) ?? false }
        moving.onFrame = { [weak self] in self?.showPicture() }
        prepareFullSize()
        guard let widget, let view = photoCanvas.canvas?.widget, let overlay = image else { return }
        gtk_revealer_set_child(OpaquePointer(headerBar), makeHeader())
        gtk_revealer_set_reveal_child(OpaquePointer(headerBar), 1)
        gtk_box_append(cast(widget), headerBar)
        gtk_widget_set_vexpand(overlay, 1)
        gtk_widget_set_hexpand(view, 1)
        gtk_widget_add_css_class(overlay, "viewer")
        gtk_overlay_set_child(OpaquePointer(overlay), view)
        gtk_widget_set_focusable(view, 1)
        for (child, align) in [(caption, GTK_ALIGN_END), (spinner, GTK_ALIGN_CENTER), (failure, GTK_ALIGN_CENTER)] {
            gtk_widget_set_halign(child, GTK_ALIGN_CENTER)
            gtk_widget_set_valign(child, align)
            gtk_overlay_add_overlay(OpaquePointer(overlay), child)
        }
        for (button, rows) in [(previous, -1), (next, 1)] {
            guard let button else { continue }
            connect(button, "clicked") { [weak self] in self?.step(by: rows) }
            gtk_overlay_add_overlay(OpaquePointer(overlay), button)
        }
        gtk_overlay_add_overlay(OpaquePointer(overlay), makeZoom())
        gtk_widget_set_can_target(caption, 0)
        gtk_widget_add_css_class(caption, "viewer-caption")
        gtk_widget_set_size_request(spinner, 48, 48)
        makeFailure()
        if let retry {
            connect(retry, "clicked") { [weak self] in self?.tryAgain() }
        }
        gtk_box_append(cast(widget), makePlaces(overlay))
        gtk_box_append(cast(widget), makeDivider())
        addGestures(view)
        addKeys(view)
    }

    /// Shows a photo of a list.
    func show(_ photo: Photo.ID, of source: PhotoList) {
        let list = PhotoList(
            catalog: source.catalog, pipeline: source.pipeline, longestSide: Self.longestSide,
            cacheLimit: 128_000_000, isPaused: source.isPaused)
        list.looks = source.looks
        closeList()
        self.list = list
        rows = source
        makeMenu(of: source)
        gtk_widget_set_can_target(widget, 1)
        list.arrange(like: source)
        list.allowsPrivateAddresses = source.allowsPrivateAddresses
        list.onChange = { [weak self] _ in self?.update() }
        move(to: photo)
        takeFocus()
    }

    /// Gives the keyboard to the picture.
    func takeFocus() {
        if let view = photoCanvas.canvas?.widget { gtk_widget_grab_focus(view) }
    }

    /// Goes on by the rows that the photos have now, if the one that is shown has one.
    func rearrange() {
        guard let list, let rows, let photo, let row = rows.row(of: photo) else { return }
        list.arrange(like: rows)
        list.visibleRowsChanged(row..<row + 1)
        update()
    }

    /// Gives everything back.
    func leave() {
        closeLooks()
        closeList()
        menu?.close()
        if isFullscreen { onFullscreen(false) }
        photo = nil
        slideshow.see(nil, isSettled: false)
        // It is seen until it has faded out; who clicks then means the photos behind it.
        gtk_widget_set_can_target(widget, 0)
        photoCanvas.showsOriginal = false
        photoCanvas.show(nil, original: nil)
        if let spinner { gtk_spinner_set_spinning(OpaquePointer(spinner), 0) }
    }

    /// What is closed has no pictures any more, and says so; it is seen until it has faded out.
    private func closeList() {
        moving.stop()
        forgetFullSize()
        list?.onChange = nil
        list?.close()
        list = nil
    }

    /// Goes forward or back among the rows; false where there are no more.
    @discardableResult
    func step(by rows: Int) -> Bool {
        guard let list, let photo, let row = list.row(of: photo) else { return false }
        let next = row + rows
        guard next >= 0, next < list.count else { return false }
        move(to: list.photo(atRow: next))
        return true
    }

    private func move(to photo: Photo.ID) {
        guard let list, let row = list.row(of: photo) else { return }
        closeLooks()
        releaseKeys()
        forgetFullSize()
        self.photo = photo
        onMove(photo)
        photoCanvas.show(nil, original: nil)
        photoCanvas.zoom.fit()
        list.visibleRowsChanged(row..<row + 1)
        update()
    }

    /// Shows how far the photo has come.
    func update() {
        guard let list, let photo else { return }
        let row = list[photo]
        var hasFailed = false
        if case .failed = row.state { hasFailed = true }
        // While it is compared, it keeps still.
        if hasFailed || isCompared { moving.stop() } else { moving.play(photo, of: list) }
        showPicture()
        if sideBySide.isOpen { sideBySide.update() }
        if isCompared { needOriginal() }
        needFullSize()
        looks.imageChanged()
        let place = list.row(of: photo) ?? 0
        for (button, isOfUse) in [(previous, place > 0), (next, place + 1 < list.count)] {
            if !isOfUse { passFocus(from: button, takeFocus) }
            gtk_widget_set_sensitive(button, isOfUse ? 1 : 0)
        }
        if let title {
            adw_window_title_set_title(OpaquePointer(title), row.name)
            let text = tr("{number} of {count}").filled(["number": (place + 1).grouped, "count": list.count.grouped])
            adw_window_title_set_subtitle(OpaquePointer(title), text)
        }
        let state = row.text(isPaused: list.isPaused)
        if let caption { gtk_label_set_text(OpaquePointer(caption), state) }
        let isDone = row.state == .filtered
        slideshow.see(photo, isSettled: isDone || hasFailed)
        gtk_widget_set_visible(caption, isDone && row.damage == nil || hasFailed ? 0 : 1)
        gtk_widget_set_visible(failure, hasFailed ? 1 : 0)
        gtk_widget_set_visible(retry, row.canRetry ? 1 : 0)
        let trouble = row.trouble
        if let reason { gtk_label_set_text(OpaquePointer(reason), hasFailed ? state : "") }
        if let detail {
            gtk_label_set_text(OpaquePointer(detail), trouble?.detail ?? "")
            gtk_widget_set_visible(detail, trouble?.detail.isEmpty ?? true ? 0 : 1)
        }
        let isBusy = photoCanvas.isEmpty && !hasFailed
        gtk_widget_set_visible(spinner, isBusy ? 1 : 0)
        if let spinner { gtk_spinner_set_spinning(OpaquePointer(spinner), isBusy ? 1 : 0) }
        if let view = photoCanvas.canvas?.widget {
            cgtk_set_accessible_label(view, "\(row.name), \(state)")
            describe(view, trouble?.detail)
        }
    }

    /// Has the published photo fetched, where only the one with its look was in memory.
    func needOriginal() {
        if let photo { list?.loadOriginal(of: photo) }
        needFullSize()
    }

    /// Shows as much of the photo as there is: what moves, the still picture, or the row's small one.
    func showPicture() {
        guard let list, let photo else { return }
        let row = list[photo]
        var hasFailed = false
        if case .failed = row.state { hasFailed = true }
        if let small = rows?[photo], let copy = hasFailed || row.image != nil ? nil : small.image {
            photoCanvas.show(copy, original: nil, size: small.publishedSize)
        } else {
            photoCanvas.show(
                moving.frame ?? fullSizePicture ?? row.image,
                original: fullSizeOriginal.picture(of: photo, with: .none) ?? row.original, size: row.publishedSize)
        }
    }

    /// Whether what is seen is a frame of an animation.
    var isMoving: Bool { moving.frame != nil }

    // MARK: Parts

    /// A button at a side of the picture.
    private static func makeStep(_ icon: String, _ name: String, _ side: GtkAlign) -> Widget? {
        guard let button = gtk_button_new_from_icon_name(icon) else { return nil }
        WindowHeader.name(button, name)
        for style in ["osd", "circular"] { gtk_widget_add_css_class(button, style) }
        gtk_widget_set_halign(button, side)
        gtk_widget_set_valign(button, GTK_ALIGN_CENTER)
        for set in [gtk_widget_set_margin_start, gtk_widget_set_margin_end] { set(button, 12) }
        // The keys stay the picture's.
        gtk_widget_set_focus_on_click(button, 0)
        return button
    }

    private func makeHeader() -> Widget? {
        guard let header = adw_header_bar_new(), let title, let compare,
            let back = gtk_button_new_from_icon_name("go-previous-symbolic"),
            let save = gtk_button_new_from_icon_name("document-save-as-symbolic"),
            let information = gtk_button_new_from_icon_name("dialog-information-symbolic")
        else { return nil }
        let bar = OpaquePointer(header)
        adw_header_bar_set_title_widget(bar, WindowHeader.cut(title, to: 10))
        WindowHeader.name(back, tr("Back to the photos"))
        connect(back, "clicked") { [weak self] in
            guard let self else { return }
            if sideBySide.isOpen { closeLooks() } else { onClose() }
        }
        gtk_actionable_set_action_name(OpaquePointer(save), "win.save")
        WindowHeader.name(save, tr("Save photo as…"))
        gtk_actionable_set_action_name(OpaquePointer(information), "win.information")
        WindowHeader.name(information, tr("Information"))
        gtk_button_set_icon_name(cast(compare), "view-dual-symbolic")
        WindowHeader.name(compare, tr("Compare with the published photo"))
        connect(compare, "toggled") { [weak self] in self?.compareChanged() }
        adw_header_bar_pack_start(bar, back)
        if let fullscreen {
            connect(fullscreen, "clicked") { [weak self] in
                if let self { onFullscreen(!isFullscreen) }
            }
            WindowHeader.name(fullscreen, tr("Fullscreen"))
        }
        looks.onNeedImage = { [weak self] in
            guard let self, let photo else { return nil }
            needOriginal()
            return list?.original(of: photo) ?? rows?.original(of: photo)
        }
        // In a narrow window the photo's menu and F11 are left.
        for child in [fullscreen, information, save, makeLooksButton()].compactMap({ $0 }) {
            adw_header_bar_pack_end(bar, WindowHeader.ifThereIsRoom(child))
        }
        for child in [compare, looks.button] { adw_header_bar_pack_end(bar, child) }
        return header
    }

    /// Whether the header is there, or about to be.
    var isHeaderShown: Bool { gtk_revealer_get_reveal_child(OpaquePointer(headerBar)) != 0 }

    /// Shows the header while the picture fills the screen, or hides it.
    func showHeaderInFullscreen(_ isShown: Bool) {
        guard isFullscreen else { return }
        // What was opened from it stays with it.
        gtk_revealer_set_reveal_child(OpaquePointer(headerBar), isShown || looks.isOpen ? 1 : 0)
    }

    /// Buttons over the picture that show more of it or less.
    private func makeZoom() -> Widget? {
        guard let box = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 6) else { return nil }
        let ways: [(icon: String, name: String, change: (inout Zoom) -> Void)] = [
            ("zoom-out-symbolic", tr("Zoom out"), { $0.magnify(by: 0.8) }),
            ("zoom-fit-best-symbolic", tr("Fit to the window"), { $0.fit() }),
            ("zoom-in-symbolic", tr("Zoom in"), { $0.magnify(by: 1.25) }),
        ]
        for way in ways {
            guard let button = gtk_button_new_from_icon_name(way.icon) else { continue }
            WindowHeader.name(button, way.name)
            for style in ["osd", "circular"] { gtk_widget_add_css_class(button, style) }
            // The keys stay the picture's.
            gtk_widget_set_focus_on_click(button, 0)
            connect(button, "clicked") { [weak self] in
                if let self { way.change(&photoCanvas.zoom) }
            }
            gtk_box_append(cast(box), button)
        }
        gtk_widget_set_halign(box, GTK_ALIGN_END)
        gtk_widget_set_valign(box, GTK_ALIGN_END)
        for set in [gtk_widget_set_margin_end, gtk_widget_set_margin_bottom] { set(box, 12) }
        return box
    }

    private func makeMenu(of source: PhotoList) {
        guard let image else { return }
        menu?.close()
        let menu = PhotoMenu(source, in: image, isLarge: true)
        menu.canBeWallpaper = { [weak self] in self?.canBeWallpaper() ?? false }
        menu.lookEntries = { [weak self] in self?.lookEntries($0) ?? [] }
        menu.onChoose = { [weak self] in self?.onCommand($0, $1) }
        menu.home = photoCanvas.canvas?.widget
        self.menu = menu
    }

    /// Shows what can be done with the photo.
    ///
    /// - Parameter x: Where the pointer is; nil for the keyboard.
    func showMenu(x: Double? = nil, y: Double = 0) {
        guard let photo, let image else { return }
        // What is chosen there is meant for the photo that is seen.
        slideshow.end()
        menu?.show(photo, at: image, x: x, y: y)
    }

    /// Moves the divider to a place in the view.
    func moveDivider(to x: Double) {
        guard let sides = photoCanvas.sides, sides.upperBound > sides.lowerBound else { return }
        let share = (x - sides.lowerBound) / (sides.upperBound - sides.lowerBound)
        gtk_range_set_value(cast(divider), min(1, max(0, share)) * 100)
    }

    private func makeFailure() {
        guard let icon = gtk_image_new_from_icon_name("dialog-warning-symbolic"), let reason, let detail, let retry
        else { return }
        gtk_image_set_pixel_size(OpaquePointer(icon), 64)
        gtk_widget_add_css_class(reason, "title-4")
        for label in [reason, detail] {
            gtk_label_set_wrap(OpaquePointer(label), 1)
            gtk_label_set_wrap_mode(OpaquePointer(label), PANGO_WRAP_WORD_CHAR)
            gtk_label_set_justify(OpaquePointer(label), GTK_JUSTIFY_CENTER)
        }
        gtk_label_set_max_width_chars(OpaquePointer(detail), 60)
        gtk_widget_add_css_class(detail, "dim-label")
        gtk_widget_add_css_class(retry, "pill")
        gtk_widget_set_halign(retry, GTK_ALIGN_CENTER)
        gtk_widget_add_css_class(failure, "viewer-failure")
        for child in [icon, reason, detail, retry] { gtk_box_append(cast(failure), child) }
        // Beside the buttons at both sides.
        for set in [gtk_widget_set_margin_start, gtk_widget_set_margin_end] { set(failure, 64) }
    }

    private func makeDivider() -> Widget? {
        guard let dividerBar, let divider, let box = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 12) else { return nil }
        gtk_box_append(cast(box), gtk_label_new(tr("Before")))
        gtk_widget_set_hexpand(divider, 1)
        gtk_scale_set_draw_value(cast(divider), 0)
        gtk_range_set_value(cast(divider), 50)
        cgtk_set_accessible_label(divider, tr("Where before ends and after begins"))
        connect(divider, "value-changed") { [weak self] in self?.compareChanged() }
        gtk_box_append(cast(box), divider)
        gtk_box_append(cast(box), gtk_label_new(tr("After")))
        for set in [gtk_widget_set_margin_start, gtk_widget_set_margin_end] { set(box, 18) }
        for set in [gtk_widget_set_margin_top, gtk_widget_set_margin_bottom] { set(box, 6) }
        gtk_revealer_set_child(OpaquePointer(dividerBar), box)
        return dividerBar
    }

    private func compareChanged() {
        let isOn = isCompared
        if let dividerBar { gtk_revealer_set_reveal_child(OpaquePointer(dividerBar), isOn ? 1 : 0) }
        photoCanvas.split = isOn ? gtk_range_get_value(cast(divider)) / 100 : nil
        update()
    }

    var isCompared: Bool { gtk_toggle_button_get_active(cast(compare)) != 0 }
}
