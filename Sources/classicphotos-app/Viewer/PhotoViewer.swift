import CGtk
import GtkSupport
import PhotoBrowser
import PhotoPipeline

/// One photo in large: zoom, pan, before and after, and the way to the next ones.
///
/// It is a list of its own with one visible row, so that it works as rows do: the published picture first, the filtered one
/// faded over it, the neighbours fetched ahead, and everything that is left is cancelled.
final class PhotoViewer {
    /// The longest side to ask for: enough for zooming in on most screens, and little enough to be there soon.
    private static let longestSide = 2_560

    let widget = gtk_box_new(GTK_ORIENTATION_VERTICAL, 0)
    /// Called when the user is done.
    var onClose: () -> Void = {}

    private(set) var list: PhotoList?
    /// The list of the rows, whose small picture is shown until the large one is there.
    private weak var rows: PhotoList?
    private(set) var photo: Photo.ID?
    let photoCanvas = PhotoCanvas()
    private let title = adw_window_title_new("", "")
    private let caption = gtk_label_new(nil)
    private let spinner = gtk_spinner_new()
    private let compare = gtk_toggle_button_new()
    private let divider = gtk_scale_new_with_range(GTK_ORIENTATION_HORIZONTAL, 0, 100, 1)
    private let dividerBar = gtk_revealer_new()
    private let retry = gtk_button_new_with_mnemonic(tr("_Try Again"))
    private let failure = gtk_box_new(GTK_ORIENTATION_VERTICAL, 18)
    private let reason = gtk_label_new(nil)
    private let previous = PhotoViewer.makeStep("go-previous-symbolic", tr("Previous photo"), GTK_ALIGN_START)
    private let next = PhotoViewer.makeStep("go-next-symbolic", tr("Next photo"), GTK_ALIGN_END)
    private var pointer = Zoom.Point(x: 0, y: 0)

    init() {
        guard let widget, let view = photoCanvas.canvas?.widget, let overlay = gtk_overlay_new() else { return }
        gtk_box_append(cast(widget), makeHeader())
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
        gtk_widget_set_can_target(caption, 0)
        gtk_widget_add_css_class(caption, "viewer-caption")
        gtk_widget_set_size_request(spinner, 48, 48)
        makeFailure()
        if let retry {
            connect(retry, "clicked") { [weak self] in
                if let self, let photo { list?.retry(photo) }
            }
        }
        gtk_box_append(cast(widget), overlay)
        gtk_box_append(cast(widget), makeDivider())
        addGestures(view)
        addKeys(view)
    }

    /// Shows a photo of a list.
    func show(_ photo: Photo.ID, of source: PhotoList) {
        let list = PhotoList(
            catalog: source.catalog, pipeline: source.pipeline, longestSide: Self.longestSide, look: source.look,
            cacheLimit: 128_000_000)
        closeList()
        self.list = list
        rows = source
        gtk_widget_set_can_target(widget, 1)
        list.arrange(like: source)
        list.allowsPrivateAddresses = source.allowsPrivateAddresses
        list.onChange = { [weak self] _ in self?.update() }
        move(to: photo)
        if let view = photoCanvas.canvas?.widget { gtk_widget_grab_focus(view) }
    }

    /// Gives everything back.
    func leave() {
        closeList()
        photo = nil
        // It is seen until it has faded out; who clicks then means the photos behind it.
        gtk_widget_set_can_target(widget, 0)
        photoCanvas.showsOriginal = false
        photoCanvas.show(nil, original: nil)
        if let spinner { gtk_spinner_set_spinning(OpaquePointer(spinner), 0) }
    }

    /// What is closed has no pictures any more, and says so; it is seen until it has faded out.
    private func closeList() {
        list?.onChange = nil
        list?.close()
        list = nil
    }

    /// Goes forward or back among the rows.
    func step(by rows: Int) {
        guard let list, let photo, let row = list.row(of: photo) else { return }
        let next = row + rows
        if next >= 0, next < list.count { move(to: list.photo(atRow: next)) }
    }

    private func move(to photo: Photo.ID) {
        guard let list, let row = list.row(of: photo) else { return }
        self.photo = photo
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
        if let copy = hasFailed || row.picture != nil ? nil : rows?[photo].picture {
            // What is smaller than a row's picture may be is as large as it will be.
            let side = max(copy.size.width, copy.size.height)
            photoCanvas.show(copy, inPlaceOf: side < AppStyle.rowSide ? side : Self.longestSide)
        } else {
            photoCanvas.show(row.picture, original: row.original)
        }
        let place = list.row(of: photo) ?? 0
        gtk_widget_set_sensitive(previous, place > 0 ? 1 : 0)
        gtk_widget_set_sensitive(next, place + 1 < list.count ? 1 : 0)
        if let title {
            adw_window_title_set_title(OpaquePointer(title), row.name)
            let text = tr("{number} of {count}").filled(["number": (place + 1).grouped, "count": list.count.grouped])
            adw_window_title_set_subtitle(OpaquePointer(title), text)
        }
        let state = row.state.text(isPaused: list.isPaused)
        if let caption { gtk_label_set_text(OpaquePointer(caption), state) }
        let isDone = row.state == .filtered
        gtk_widget_set_visible(caption, isDone || hasFailed ? 0 : 1)
        gtk_widget_set_visible(failure, hasFailed ? 1 : 0)
        if let reason { gtk_label_set_text(OpaquePointer(reason), hasFailed ? state : "") }
        let isBusy = photoCanvas.isEmpty && !hasFailed
        gtk_widget_set_visible(spinner, isBusy ? 1 : 0)
        if let spinner { gtk_spinner_set_spinning(OpaquePointer(spinner), isBusy ? 1 : 0) }
        if let view = photoCanvas.canvas?.widget { cgtk_set_accessible_label(view, "\(row.name), \(state)") }
    }

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
            let save = gtk_button_new_from_icon_name("document-save-as-symbolic")
        else { return nil }
        let bar = OpaquePointer(header)
        adw_header_bar_set_title_widget(bar, title)
        WindowHeader.name(back, tr("Back to the photos"))
        connect(back, "clicked") { [weak self] in self?.onClose() }
        gtk_actionable_set_action_name(OpaquePointer(save), "app.save")
        WindowHeader.name(save, tr("Save photo as…"))
        gtk_button_set_icon_name(cast(compare), "view-dual-symbolic")
        WindowHeader.name(compare, tr("Compare with the published photo"))
        connect(compare, "toggled") { [weak self] in self?.compareChanged() }
        adw_header_bar_pack_start(bar, back)
        adw_header_bar_pack_end(bar, save)
        adw_header_bar_pack_end(bar, compare)
        return header
    }

    private func makeFailure() {
        guard let icon = gtk_image_new_from_icon_name("dialog-warning-symbolic"), let reason, let retry else { return }
        gtk_image_set_pixel_size(OpaquePointer(icon), 64)
        gtk_widget_add_css_class(reason, "title-4")
        gtk_label_set_wrap(OpaquePointer(reason), 1)
        gtk_label_set_justify(OpaquePointer(reason), GTK_JUSTIFY_CENTER)
        gtk_widget_add_css_class(retry, "pill")
        gtk_widget_set_halign(retry, GTK_ALIGN_CENTER)
        gtk_widget_add_css_class(failure, "viewer-failure")
        for child in [icon, reason, retry] { gtk_box_append(cast(failure), child) }
        for set in [gtk_widget_set_margin_start, gtk_widget_set_margin_end] { set(failure, 24) }
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
        let isOn = gtk_toggle_button_get_active(cast(compare)) != 0
        if let dividerBar { gtk_revealer_set_reveal_child(OpaquePointer(dividerBar), isOn ? 1 : 0) }
        photoCanvas.split = isOn ? gtk_range_get_value(cast(divider)) / 100 : nil
    }

    // MARK: Hands

    private func addGestures(_ view: Widget) {
        if let motion = gtk_event_controller_motion_new() {
            connect(motion, "motion") { [weak self] (x: Double, y: Double) in self?.pointer = Zoom.Point(x: x, y: y) }
            gtk_widget_add_controller(view, motion)
        }
        if let scroll = gtk_event_controller_scroll_new(GTK_EVENT_CONTROLLER_SCROLL_VERTICAL) {
            connect(scroll, "scroll") { [weak self] (_: Double, y: Double) -> Bool in
                guard let self else { return false }
                photoCanvas.zoom.magnify(by: y < 0 ? 1.2 : 1 / 1.2, around: pointer)
                return true
            }
            gtk_widget_add_controller(view, scroll)
        }
        if let pinch = gtk_gesture_zoom_new() {
            var before = 1.0
            connect(pinch, "begin") { (_: SignalPointer) in before = 1 }
            connect(pinch, "scale-changed") { [weak self] (scale: Double) in
                guard let self, scale > 0 else { return }
                // Between the fingers; a touch screen has no pointer.
                var middle = Zoom.Point(x: 0, y: 0)
                let isThere =
                    gtk_gesture_is_active(pinch) != 0
                    && gtk_gesture_get_bounding_box_center(pinch, &middle.x, &middle.y) != 0
                photoCanvas.zoom.magnify(by: scale / before, around: isThere ? middle : pointer)
                before = scale
            }
            gtk_widget_add_controller(view, pinch)
        }
        if let drag = gtk_gesture_drag_new() {
            var before = Zoom.Point(x: 0, y: 0)
            connect(drag, "drag-begin") { [weak self] (_: Double, _: Double) in
                before = Zoom.Point(x: 0, y: 0)
                gtk_widget_grab_focus(self?.photoCanvas.canvas?.widget)
            }
            connect(drag, "drag-update") { [weak self] (x: Double, y: Double) in
                self?.photoCanvas.zoom.pan(x: x - before.x, y: y - before.y)
                before = Zoom.Point(x: x, y: y)
            }
            gtk_widget_add_controller(view, drag)
        }
    }

    private func addKeys(_ view: Widget) {
        guard let keys = gtk_event_controller_key_new() else { return }
        connect(keys, "key-pressed") { [weak self] (key: UInt32, _: UInt32, state: SignalFlags) -> Bool in
            guard let self, !state.hasControl else { return false }
            return press(Int32(bitPattern: key))
        }
        connect(keys, "key-released") { [weak self] (key: UInt32, _: UInt32) in
            if Int32(bitPattern: key) == GDK_KEY_space { self?.photoCanvas.showsOriginal = false }
        }
        gtk_widget_add_controller(widget, keys)
    }

    private func press(_ key: Int32) -> Bool {
        let far = 80.0
        switch key {
        case GDK_KEY_plus, GDK_KEY_equal, GDK_KEY_KP_Add: photoCanvas.zoom.magnify(by: 1.25)
        case GDK_KEY_minus, GDK_KEY_KP_Subtract: photoCanvas.zoom.magnify(by: 0.8)
        case GDK_KEY_0, GDK_KEY_KP_0: photoCanvas.zoom.fit()
        case GDK_KEY_1, GDK_KEY_KP_1: photoCanvas.zoom.showActualSize()
        case GDK_KEY_space: photoCanvas.showsOriginal = true
        case GDK_KEY_c:
            gtk_toggle_button_set_active(
                cast(compare), gtk_toggle_button_get_active(cast(compare)) != 0 ? 0 : 1)
        case GDK_KEY_Page_Down, GDK_KEY_n: step(by: 1)
        case GDK_KEY_Page_Up, GDK_KEY_p: step(by: -1)
        case GDK_KEY_Escape, GDK_KEY_BackSpace: onClose()
        case GDK_KEY_Left, GDK_KEY_Right, GDK_KEY_Up, GDK_KEY_Down:
            // The divider has arrows of its own.
            guard gtk_widget_has_focus(divider) == 0 else { return false }
            if photoCanvas.zoom.chosenScale == nil {
                step(by: key == GDK_KEY_Right || key == GDK_KEY_Down ? 1 : -1)
            } else {
                photoCanvas.zoom.pan(
                    x: key == GDK_KEY_Left ? far : key == GDK_KEY_Right ? -far : 0,
                    y: key == GDK_KEY_Up ? far : key == GDK_KEY_Down ? -far : 0)
            }
        default: return false
        }
        return true
    }
}

/// The modifier keys that a signal brings.
struct SignalFlags: SignalValue {
    private let bits: UInt32
    static func accepts(_ type: GType) -> Bool { type == gdk_modifier_type_get_type() }
    init(reading value: UnsafePointer<GValue>) { bits = g_value_get_flags(value) }
    var hasControl: Bool { bits & GDK_CONTROL_MASK.rawValue != 0 }
    var hasShift: Bool { bits & GDK_SHIFT_MASK.rawValue != 0 }
}
