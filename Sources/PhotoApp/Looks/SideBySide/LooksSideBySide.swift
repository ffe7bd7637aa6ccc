import CGtk
import GtkSupport
import PhotoBrowser
import PhotoPipeline

/// One photo in all looks beside each other: one of them is chosen, by a click or by keys.
///
/// Pictures are made off the main thread, as large as they are shown, and are gone when one leaves.
final class LooksSideBySide {
    let widget = gtk_box_new(GTK_ORIENTATION_VERTICAL, 0)
    /// Whom a look is for.
    let targets = LookTargetSwitch()
    /// Called before it is seen; whoever offers looks says which photos they can be for.
    var onOpen: () -> Void = {}
    /// The look that those have whom a look is for.
    var lookOf: (LookTarget) -> ChosenLook = { _ in .original }
    /// Called with the look that is chosen, and with whom it is for.
    var onChoose: (ChosenLook, LookTarget) -> Void = { _, _ in }
    /// Called when the user is done.
    var onClose: () -> Void = {}
    private(set) var isOpen = false

    private let scrolled = gtk_scrolled_window_new()
    private let box = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 0)
    private let samples = LookSamples()
    private var cells: [(button: Widget, picture: Widget)] = []
    private var offered: [ChosenLook] = []
    private var list: PhotoList?
    private var photo: Photo.ID?
    private var shape = 1.5
    /// The longest side of the pictures that are made or being made; 0 for none.
    private var side = 0
    private var timer: LoopTimer?
    private var isShowing = false

    init() {
        guard let widget, let scrolled, let box, let bar = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 0) else { return }
        gtk_widget_add_css_class(widget, "viewer")
        gtk_widget_add_css_class(bar, "looks-bar")
        gtk_widget_set_hexpand(targets.widget, 1)
        gtk_widget_set_halign(targets.widget, GTK_ALIGN_CENTER)
        gtk_box_append(cast(bar), targets.widget)
        gtk_scrolled_window_set_policy(OpaquePointer(scrolled), GTK_POLICY_NEVER, GTK_POLICY_AUTOMATIC)
        gtk_scrolled_window_set_child(OpaquePointer(scrolled), box)
        gtk_widget_set_vexpand(scrolled, 1)
        cgtk_set_accessible_label(box, tr("Looks"))
        LookGridLayout.apply(to: box) { [weak self] in self?.grid(width: $0) }
        for part in [bar, scrolled] { gtk_box_append(cast(widget), part) }
        targets.onSwitch = { [weak self] in
            guard let self else { return }
            showChosen()
            takeFocus()
        }
        samples.onSample = { [weak self] in self?.show($1, at: $0) }
        // What is seen at a time is known when it is laid out.
        if let adjustment = gtk_scrolled_window_get_vadjustment(OpaquePointer(scrolled)) {
            connect(adjustment, "notify::page-size") { [weak self] in self?.sizeChanged() }
        }
    }

    /// Shows a photo.
    ///
    /// - Parameter image: A picture of its shape, where there is one.
    func open(_ photo: Photo.ID, of list: PhotoList, like image: PixelBuffer?) {
        leave()
        (self.list, self.photo, isOpen) = (list, photo, true)
        if let size = image?.size, !size.isEmpty { shape = Double(size.width) / Double(size.height) }
        onOpen()
        offer()
        sizeChanged()
        takeFocus()
    }

    /// Gives everything back.
    func leave() {
        isOpen = false
        timer = nil
        samples.cancel()
        (list, photo, side) = (nil, nil, 0)
        for cell in cells { gtk_box_remove(cast(box), cell.button) }
        cells = []
        offered = []
    }

    /// The photo has come further.
    func update() {
        guard let list, let photo, let image = list[photo].original ?? list[photo].image else { return }
        let new = Double(image.size.width) / Double(max(1, image.size.height))
        if abs(new - shape) > 0.01 {
            shape = new
            sizeChanged()
        }
    }

    // MARK: The looks

    private func offer() {
        let chosen = lookOf(targets.target)
        offered = LookChoice.all.map { look in
            // As one has it, and the others in full.
            look.identifier == chosen.choice.identifier ? chosen : ChosenLook(identifier: look.identifier)
        }
        cells = offered.enumerated().compactMap { makeCell($1, at: $0) }
        showChosen()
    }

    private func makeCell(_ look: ChosenLook, at index: Int) -> (button: Widget, picture: Widget)? {
        guard let button = gtk_toggle_button_new(), let picture = gtk_picture_new(),
            let column = gtk_box_new(GTK_ORIENTATION_VERTICAL, 0), let label = gtk_label_new(look.text)
        else { return nil }
        gtk_widget_add_css_class(button, "flat")
        gtk_widget_add_css_class(button, "look-sample")
        gtk_picture_set_can_shrink(OpaquePointer(picture), 1)
        gtk_widget_set_vexpand(picture, 1)
        gtk_label_set_ellipsize(OpaquePointer(label), PANGO_ELLIPSIZE_END)
        gtk_widget_set_tooltip_text(button, look.text)
        cgtk_set_accessible_label(button, look.text)
        for child in [picture, label] { gtk_box_append(cast(column), child) }
        gtk_button_set_child(cast(button), column)
        connect(button, "toggled") { [weak self] in self?.choose(index) }
        gtk_box_append(cast(box), button)
        return (button, picture)
    }

    private func choose(_ index: Int) {
        guard !isShowing, isOpen, offered.indices.contains(index) else { return }
        let (look, target) = (offered[index], targets.target)
        onChoose(look, target)
        onClose()
    }

    private var chosenIndex: Int {
        let chosen = lookOf(targets.target).choice.identifier
        return offered.firstIndex { $0.identifier == chosen } ?? 0
    }

    private func showChosen() {
        isShowing = true
        defer { isShowing = false }
        for (index, cell) in cells.enumerated() {
            gtk_toggle_button_set_active(cast(cell.button), index == chosenIndex ? 1 : 0)
        }
    }

    private func takeFocus() {
        if cells.indices.contains(chosenIndex) { gtk_widget_grab_focus(cells[chosenIndex].button) }
    }

    /// Goes to another look by a key; false where it is none for that.
    func moveFocus(_ key: Int32) -> Bool {
        guard let index = cells.firstIndex(where: { gtk_widget_has_focus($0.button) != 0 }) else {
            // From above it leads to the looks.
            guard key == GDK_KEY_Down else { return false }
            takeFocus()
            return true
        }
        let columns = grid(width: Int(gtk_widget_get_width(box)))?.columns ?? 1
        let next: Int
        switch key {
        case GDK_KEY_Left: next = index - 1
        case GDK_KEY_Right: next = index + 1
        case GDK_KEY_Up: next = index - columns
        case GDK_KEY_Down: next = index + columns
        case GDK_KEY_Home: next = 0
        case GDK_KEY_End: next = cells.count - 1
        default: return false
        }
        // Above the looks is whom they are for.
        if key == GDK_KEY_Up, next < 0 { return false }
        if cells.indices.contains(next) { gtk_widget_grab_focus(cells[next].button) }
        return true
    }

    // MARK: Pictures

    private func grid(width: Int) -> LookGrid? {
        guard !cells.isEmpty else { return nil }
        let seen = gtk_scrolled_window_get_vadjustment(OpaquePointer(scrolled)).map { gtk_adjustment_get_page_size($0) }
        return LookGrid(cells.count, shape: shape, width: width, height: Int(seen ?? 0))
    }

    /// Makes the pictures as large as they are shown, when the window is at rest.
    private func sizeChanged() {
        guard isOpen else { return }
        // Not at once: this may be in the middle of the layout, which then would end without the looks.
        timer = LoopTimer(after: .milliseconds(40)) { [weak self] in self?.makePictures() }
    }

    private func makePictures() {
        timer = nil
        guard let list, let photo, isOpen else { return }
        gtk_widget_queue_resize(box)
        let width = Int(gtk_widget_get_width(box))
        guard width > 1, let grid = grid(width: width) else { return sizeChanged() }
        let scale = Int(gtk_widget_get_scale_factor(widget))
        let wanted = grid.pictureSide(shape: shape) * max(1, scale)
        // Smaller ones are shown smaller.
        guard wanted > side || wanted < side / 2 else { return }
        side = wanted
        samples.make(offered.map(\.look), of: photo, in: list, longestSide: wanted)
    }

    private func show(_ image: PixelBuffer, at index: Int) {
        guard cells.indices.contains(index), let texture = ObjectReference(textureOf: image) else { return }
        gtk_picture_set_paintable(OpaquePointer(cells[index].picture), texture.pointer)
    }
}
