package import CGtk
import GtkSupport
import PhotoBrowser
package import PhotoPipeline

/// The photos of a catalog as a list or a grid: brings the list's behaviour and GTK's views together.
package final class PhotosPage {
    /// The page's widget.
    let widget = gtk_scrolled_window_new()
    /// The behaviour.
    let list: PhotoList
    /// The rows on screen.
    package private(set) var visibleRows = 0..<0
    /// Called with a photo that the user wants to see in large.
    var onOpen: (Photo.ID) -> Void = { _ in }
    /// Called with what the user chose from a photo's menu.
    var onCommand: (PhotoMenu.Command, Photo.ID) -> Void = { _, _ in }

    /// Whether the desktop can have a photo as its wallpaper.
    var canBeWallpaper: () -> Bool = { false }
    /// What the menu of a photo offers for its look.
    var lookEntries: (Photo.ID) -> [(label: String, action: String)] = { _ in [] }
    /// What is said of a photo besides its state; nil for nothing.
    var remark: (Photo.ID) -> String? = { _ in nil }
    /// Asked for what is dragged out of the window, with the photo that the pointer is at.
    var onDrag: (Photo.ID) -> OfferedFiles = { _ in OfferedFiles() }
    /// Called with the photo that is pointed at; nil where the pointer leaves it.
    var onPoint: (Photo.ID?) -> Void = { _ in }

    private let layout: Preferences.Layout
    private let thumbnails: ThumbnailSize
    private let model: IdentifierModel
    private var items: [OpaquePointer: any PhotoItem] = [:]
    /// Rows that do not show their photos yet, because they may never be seen.
    private var waiting: [OpaquePointer: Photo.ID] = [:]
    private var mapped: MappedRows?
    /// Which photos are chosen. Pointing at one chooses nothing.
    let selection: PhotoSelection
    private var chosen: [Photo.ID] = []
    private(set) var menu: PhotoMenu?
    private(set) var view: Widget?
    /// The address of the photos whose rows stand out.
    private var marked: String?
    /// Counts the places that were to be shown, so that only the last one counts.
    private var scrolls = 0
    /// The row that is being brought to the top.
    private var target: Int?
    /// The row that keys go on from when it is there; nil for one that is chosen, or that one.
    private var keyboardRow: Int?
    /// The rows that were on screen before the large view covered them, and the photo that it was opened with.
    private var covered: (rows: Range<Int>, by: Photo.ID?) = (0..<0, nil)
    /// The photo at the top, or the one that is about to be; nil where there is none.
    ///
    /// It stays while the large view covers the photos, and until the rows of another arrangement are shown.
    package private(set) var topPhoto: Photo.ID?

    /// - Parameters:
    ///   - list: What is shown.
    ///   - layout: As a list or as a grid.
    ///   - thumbnails: How large the photos are shown. Default: medium.
    init(_ list: PhotoList, layout: Preferences.Layout, thumbnails: ThumbnailSize = .medium) {
        (self.list, self.layout, self.thumbnails) = (list, layout, thumbnails)
        model = IdentifierModel(count: list.count) { list.photo(atRow: $0).index }
        selection = PhotoSelection(list, model)
        let mapped = MappedRows(
            onChange: { [weak self] rows, photos in
                self?.visibleRows = rows
                if let self, target == nil, let first = photos.first { topPhoto = Photo.ID(first) }
                list.visibleRowsChanged(rows)
            },
            onScrolling: { list.isScrolling = $0 },
            onLayout: { [weak self] in
                self?.fillScreen()
                self?.showWaiting()
            })
        self.mapped = mapped
        makeView(mapped)
    }

    /// Ends the work for rows on screen, because another page takes over.
    func leave() {
        mapped?.stop()
        mapped = nil
        menu?.close()
        list.isScrolling = false
    }

    /// Shows bound rows anew; all of them, or those of some photos.
    func refresh(_ photos: Set<Photo.ID>? = nil) {
        for (item, shown) in items {
            if let photo = waiting[item] {
                if photos?.contains(photo) ?? true { name(shown, row(photo)) }
            } else if let photo = shown.photo, photos?.contains(photo) ?? true {
                shown.show(row(photo), isPaused: list.isPaused)
            }
        }
    }

    private func row(_ photo: Photo.ID) -> PhotoList.Row {
        var row = list[photo]
        row.remark = remark(photo)
        return row
    }

    /// Has the rows on screen stand out that have an address; nil for none.
    func mark(_ address: String?) {
        guard address != marked else { return }
        marked = address
        for shown in items.values { mark(shown) }
    }

    private func mark(_ shown: any PhotoItem) {
        guard let cell = gtk_widget_get_parent(shown.widget) else { return }
        let isMarked = marked != nil && shown.photo.flatMap { list.address(of: $0) } == marked
        if isMarked { gtk_widget_add_css_class(cell, "marked") } else { gtk_widget_remove_css_class(cell, "marked") }
    }

    /// Tells screen readers about a row that may be off screen.
    private func name(_ item: any PhotoItem, _ row: PhotoList.Row) {
        item.nameCell(row, row.text(isPaused: list.isPaused))
    }

    /// Notes which photos are chosen, while the list has the rows that the page shows.
    func noteChosen() { chosen = selection.photos }

    /// Takes the rows in that the list has now. The photos stay chosen that were so at the last ``noteChosen()``.
    ///
    /// - Parameter row: The row to show at the top.
    func rearrange(showing row: Int) {
        let list = list
        model.replace(count: list.count) { list.photo(atRow: $0).index }
        selection.choose(chosen)
        chosen = []
        scroll(toRow: row)
    }

    /// Has the view find its place anew where its layout left the screen empty.
    ///
    /// GTK 4.8 does that when it is moved far for the first time: it stays with the rows that it has, all of which are
    /// off screen.
    private func fillScreen() {
        guard list.count > 0, let view, gtk_widget_get_mapped(view) != 0, let adjustment,
            gtk_adjustment_get_page_size(adjustment) > 0,
            !items.values.contains(where: { gtk_widget_get_mapped($0.widget) != 0 })
        else { return }
        cgtk_adjustment_repeat_value(adjustment)
        layOut(view)
    }

    /// Where the photos are scrolled to.
    package var adjustment: UnsafeMutablePointer<GtkAdjustment>? {
        widget.flatMap { gtk_scrolled_window_get_vadjustment(OpaquePointer($0)) }
    }

    /// Gives the keyboard to the photos; a menu that is open keeps it.
    func takeFocus() {
        let focus = gtk_widget_get_root(view).flatMap { gtk_root_get_focus($0) }
        let menu = focus.flatMap { gtk_widget_get_ancestor($0, gtk_popover_get_type()) }
        if menu.map({ gtk_widget_get_mapped($0) == 0 }) ?? true { gtk_widget_grab_focus(view) }
    }

    /// Whether the photos have the keyboard, or the menu of one.
    var hasFocus: Bool {
        guard let widget, let focus = gtk_widget_get_root(widget).flatMap({ gtk_root_get_focus($0) }) else {
            return false
        }
        return gtk_widget_is_ancestor(focus, widget) != 0
    }

    /// Notes what is on screen, because the large view is about to cover it with a photo.
    func cover(by photo: Photo.ID) {
        covered = (visibleRows.isEmpty ? covered.rows : visibleRows, photo)
    }

    /// Chooses the photo that the large view has come to, and has it on screen, in the middle where it was not there.
    func uncover(at photo: Photo.ID) {
        guard let row = list.row(of: photo) else { return }
        selection.choose([photo])
        // The first and the last row may be seen in part only.
        if photo == covered.by || covered.rows.dropFirst(columns).dropLast(columns).contains(row) {
            takeKeyboard(toRow: row)
        } else {
            scroll(toRow: max(0, row - covered.rows.count / 2), keyboardAt: row)
        }
    }

    /// Brings a row to the top as soon as the view has its size.
    ///
    /// - Parameter keyboardRow: Where keys go on from then; nil for a photo that is chosen and on screen, or else the same row.
    func scroll(toRow row: Int, keyboardAt keyboardRow: Int? = nil) {
        self.keyboardRow = keyboardRow
        scrolls += 1
        let number = scrolls
        var frames = 0
        var stable = 0
        var hasKeyboard = false
        target = row
        topPhoto = row < list.count ? list.photo(atRow: row) : nil
        // GTK has no function for it before 4.12. Rows have one height, which is known after the layout; before that, GTK
        // could not tell which row a position is, and would complain.
        onEachFrame(of: widget) { [weak self] _ in
            // Behind the large view nothing has a place; it goes on when the photos are back.
            guard let self, number == scrolls, gtk_widget_get_mapped(view) != 0 else { return false }
            frames += 1
            if isAtTop(row, isLaidOut: frames > 1) { stable += 1 } else { stable = 0 }
            let isOver = stable == 3 || frames == 60 || list.count == 0
            // As soon as it is there, since a person may press a key before the view is at rest, and only once.
            if !hasKeyboard, stable > 0 || isOver { hasKeyboard = takeKeyboard(fromTop: row) }
            if isOver { target = nil }
            return !isOver
        }
    }

    /// Has keys begin where they are to, when a row is at the top.
    /// - Returns: False if no such row is on screen yet.
    private func takeKeyboard(fromTop row: Int) -> Bool {
        if let keyboardRow { return takeKeyboard(toRow: keyboardRow) }
        // Whoever sees a photo chosen goes on from there, also by Return.
        if let chosen = current.flatMap({ list.row(of: $0) }), takeKeyboard(toRow: chosen) {
            if gtk_widget_is_focus(view) != 0 { gtk_widget_grab_focus(view) }
            return true
        }
        return takeKeyboard(toRow: row)
    }

    /// Has keys begin at a row on screen; GTK does not know of one before, and would begin at the first of all.
    /// - Returns: False if the row is not on screen yet.
    @discardableResult
    private func takeKeyboard(toRow row: Int) -> Bool {
        let item = items.first { gtk_list_item_get_position($0.key) == guint(row) }
        guard let view, let widget = item?.value.widget, gtk_widget_get_mapped(widget) != 0,
            let cell = gtk_widget_get_parent(widget)
        else { return false }
        if gtk_widget_get_focus_child(view) != nil {
            gtk_widget_grab_focus(cell)
        } else {
            // The view notes the place, and whoever has the keyboard keeps it.
            gtk_widget_set_focus_child(view, cell)
            gtk_widget_set_focus_child(view, nil)
        }
        return true
    }

    /// Whether a row is at the top, or as far up as it can be; scrolls there.
    private func isAtTop(_ row: Int, isLaidOut: Bool) -> Bool {
        guard let adjustment, isLaidOut, !visibleRows.isEmpty else { return false }
        let (upper, page) = (gtk_adjustment_get_upper(adjustment), gtk_adjustment_get_page_size(adjustment))
        guard page > 0 else { return false }
        let lines = (list.count - 1) / columns + 1
        let place = max(0, min(upper - page, (upper * Double(row / columns) / Double(lines)).rounded()))
        if abs(gtk_adjustment_get_value(adjustment) - place) < 1 { return true }
        gtk_adjustment_set_value(adjustment, place)
        return false
    }

    /// How many photos stand side by side.
    private var columns: Int {
        guard layout == .grid, let first = items.values.first(where: { gtk_widget_get_mapped($0.widget) != 0 }),
            let cell = first.widget.flatMap({ gtk_widget_get_parent($0) }), gtk_widget_get_width(cell) > 0
        else { return 1 }
        // Where the width is no multiple, some cells are a pixel wider than others.
        return max(1, Int((Double(gtk_widget_get_width(view)) / Double(gtk_widget_get_width(cell))).rounded()))
    }

    // MARK: Parts

    private func makeView(_ mapped: MappedRows) {
        guard let widget, let factory = gtk_signal_list_item_factory_new() else { return }
        connectFactory(factory)
        switch layout {
        case .list:
            view = gtk_list_view_new(selection.model, factory)
            guard let view else { return }
            gtk_widget_add_css_class(view, "photo-list")
        case .grid:
            view = gtk_grid_view_new(selection.model, factory)
            guard let view else { return }
            gtk_grid_view_set_max_columns(OpaquePointer(view), 12)
            gtk_widget_add_css_class(view, "photo-grid")
        }
        guard let view else { return }
        connect(view, "map") { [weak self] in
            if let self, let target { scroll(toRow: target, keyboardAt: keyboardRow) }
        }
        cgtk_set_accessible_label(view, tr("Photos"))
        connect(view, "activate") { [weak self] (row: UInt32) in
            guard let self, row < list.count else { return }
            onOpen(list.photo(atRow: Int(row)))
        }
        addMenu(view)
        handKeysToRow(of: view)
        gtk_scrolled_window_set_policy(OpaquePointer(widget), GTK_POLICY_NEVER, GTK_POLICY_AUTOMATIC)
        guard let adjustment else { return }
        layOutBeforeScrolling(view, by: adjustment)
        gtk_scrolled_window_set_child(OpaquePointer(widget), view)
        mapped.follow(view, adjustment: adjustment)
    }

    /// Has the row where keys begin take the keyboard with the first key, when the view itself has it, as at the start.
    ///
    /// In newer versions of GTK, as 4.18, an arrow key then chooses that row without giving it the keyboard, and Return does nothing.
    private func handKeysToRow(of view: Widget) {
        guard let keys = gtk_event_controller_key_new() else { return }
        gtk_event_controller_set_propagation_phase(keys, GTK_PHASE_CAPTURE)
        connect(keys, "key-pressed") { (_: UInt32) -> Bool in
            if gtk_widget_is_focus(view) != 0 { gtk_widget_grab_focus(view) }
            return false
        }
        gtk_widget_add_controller(view, keys)
    }

    private func addMenu(_ view: Widget) {
        let menu = PhotoMenu(list, in: view)
        menu.onShow = { [weak self] photo in
            // The menu of one of several chosen ones is about all of them.
            if let self, !selection.contains(photo) { selection.choose([photo]) }
        }
        menu.canBeWallpaper = { [weak self] in self?.canBeWallpaper() ?? false }
        menu.lookEntries = { [weak self] in self?.lookEntries($0) ?? [] }
        menu.onChoose = { [weak self] in self?.onCommand($0, $1) }
        // A click with Control takes a photo out, and leaves the keyboard there.
        menu.onCopyKey = { [weak self] in if let self { onCommand(.copy, current ?? $0) } }
        menu.onLeave = { [weak self] in
            if let self, self.mapped != nil, gtk_widget_get_mapped(view) != 0 { takeFocus() }
        }
        menu.listen(in: view) { [weak self] cell in
            guard let shown = self?.item(in: cell), let photo = shown.photo, let widget = shown.widget else {
                return nil
            }
            return (photo, widget)
        }
        self.menu = menu
    }

    /// What a cell of the view shows.
    func item(in cell: Widget?) -> (any PhotoItem)? { items.values.first { gtk_widget_get_parent($0.widget) == cell } }

    // MARK: Recycled rows

    private func connectFactory(_ factory: OpaquePointer) {
        connect(factory, "setup") { [weak self] (item: SignalPointer) in
            if let item = item.pointer { self?.setUp(item) }
        }
        connect(factory, "bind") { [weak self] (item: SignalPointer) in
            if let item = item.pointer { self?.bind(item) }
        }
        connect(factory, "unbind") { [weak self] (item: SignalPointer) in
            if let item = item.pointer { self?.unbind(item) }
        }
        connect(factory, "teardown") { [weak self] (item: SignalPointer) in
            guard let self, let item = item.pointer else { return }
            items[item] = nil
            waiting[item] = nil
        }
    }

    private func setUp(_ item: OpaquePointer) {
        let retry = { [weak self] (photo: Photo.ID) -> Void in self?.list.retry(photo) }
        let shown: any PhotoItem =
            layout == .list ? PhotoRow(thumbnails, onRetry: retry) : PhotoCard(thumbnails, onRetry: retry)
        guard let widget = shown.widget else { return }
        items[item] = shown
        gtk_list_item_set_child(item, widget)
        mapped?.watch(widget)
        openByClick(shown, widget)
        dragOut(shown, widget)
        if let motion = gtk_event_controller_motion_new() {
            connect(motion, "enter") { [weak self, weak shown] in self?.onPoint(shown?.photo) }
            connect(motion, "leave") { [weak self] in self?.onPoint(nil) }
            gtk_widget_add_controller(widget, motion)
        }
        // GTK ends the widget of a row before it tells that the row goes.
        connect(widget, "unrealize") { [weak self] in self?.menu?.leave(widget) }
    }

    /// Opens a photo by one click. GTK's own way to do that (`single-click-activate`) also selects what the pointer only
    /// crosses.
    private func openByClick(_ shown: any PhotoItem, _ widget: Widget) {
        guard let click = gtk_gesture_click_new() else { return }
        connect(click, "released") { [weak self, weak shown] (presses: Int32) in
            // The second of two is the large view's; and with these keys one chooses.
            let keys = gtk_event_controller_get_current_event_state(click)
            let isPlain = keys.rawValue & (GDK_CONTROL_MASK.rawValue | GDK_SHIFT_MASK.rawValue) == 0
            guard presses == 1, isPlain, let self, let photo = shown?.photo else { return }
            selection.choose([photo])
            onOpen(photo)
        }
        gtk_widget_add_controller(widget, click)
    }

    /// Lets a photo be dragged into other programs.
    private func dragOut(_ shown: any PhotoItem, _ widget: Widget) {
        guard let source = gtk_drag_source_new() else { return }
        connect(source, "prepare") { [weak self, weak shown] (_: Double, _: Double) -> OfferedFiles in
            guard let self, let photo = shown?.photo else { return OfferedFiles() }
            return onDrag(photo)
        }
        connect(source, "drag-begin") { [weak self, weak shown] (_: SignalPointer) in
            guard let photo = shown?.photo, let image = self?.list[photo].image,
                let texture = ObjectReference(textureOf: image)
            else { return }
            gtk_drag_source_set_icon(source, texture.pointer, 0, 0)
        }
        gtk_widget_add_controller(widget, source)
    }

    // GTK binds in the middle of the view's layout, too: when another row is selected there, those between it and the
    // former one are unbound and bound again to what they showed. Whatever changes the size of a row there is forgotten
    // by the view, which then has a row that it cannot draw. So nothing that is seen changes before the layout is done.

    private func bind(_ item: OpaquePointer) {
        guard let shown = items[item], let widget = shown.widget, let object = gtk_list_item_get_item(item) else {
            return
        }
        let photo = IdentifierModel.identifier(of: OpaquePointer(object))
        let row = row(Photo.ID(photo))
        name(shown, row)
        waiting[item] = row.id
        mapped?.bind(widget, position: gtk_list_item_get_position(item), identifier: photo)
    }

    /// What it showed goes when it is known what it shows next, or with the row.
    private func unbind(_ item: OpaquePointer) {
        guard let widget = items[item]?.widget else { return }
        waiting[item] = nil
        mapped?.unbind(widget)
    }

    /// Gives the rows that are about to be seen what they show, and takes from the others what they showed.
    private func showWaiting() {
        guard !waiting.isEmpty else { return }
        for (item, photo) in waiting {
            guard let shown = items[item] else { continue }
            if shown.photo != photo { clear(shown) }
            guard gtk_widget_get_mapped(shown.widget) != 0 else { continue }
            waiting[item] = nil
            shown.show(row(photo), isPaused: list.isPaused)
            mark(shown)
        }
    }

    private func clear(_ shown: any PhotoItem) {
        guard shown.photo != nil, let widget = shown.widget else { return }
        menu?.leave(widget)
        shown.clear()
    }
}
