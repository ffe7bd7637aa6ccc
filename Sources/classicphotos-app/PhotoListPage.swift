import CGtk
import GtkSupport
import PhotoBrowser
import PhotoPipeline

/// The rows of a catalog: brings the list's behaviour and GTK's list view together.
final class PhotoListPage {
    /// The page's widget.
    let widget = gtk_scrolled_window_new()
    /// The behaviour.
    let list: PhotoList

    private let model: IdentifierModel
    private var rows: [OpaquePointer: PhotoRow] = [:]
    private let mapped: MappedRows
    private let onChange: () -> Void

    /// - Parameters:
    ///   - list: What is shown.
    ///   - onChange: Called when something about the whole list may have changed.
    init(_ list: PhotoList, onChange: @escaping () -> Void) {
        self.list = list
        self.onChange = onChange
        model = IdentifierModel(count: list.count) { list.photo(atRow: $0).index }
        mapped = MappedRows(
            onChange: { photos in list.visibleRowsChanged(photos.map { Photo.ID($0) }) },
            onScrolling: { list.isScrolling = $0 })
        list.onChange = { [weak self] photos in self?.update(photos) }
        guard let widget, let factory = gtk_signal_list_item_factory_new() else { return }
        connectFactory(factory)
        g_object_ref(UnsafeMutableRawPointer(model.pointer))
        let selection = gtk_single_selection_new(model.pointer)
        gtk_single_selection_set_autoselect(selection, 0)
        gtk_single_selection_set_can_unselect(selection, 1)
        gtk_single_selection_set_selected(selection, guint.max)
        guard let view = gtk_list_view_new(selection, factory) else { return }
        gtk_widget_add_css_class(view, "photo-list")
        cgtk_set_accessible_label(view, "Photos")
        gtk_scrolled_window_set_policy(OpaquePointer(widget), GTK_POLICY_NEVER, GTK_POLICY_AUTOMATIC)
        gtk_scrolled_window_set_child(OpaquePointer(widget), view)
        guard let adjustment = gtk_scrolled_window_get_vadjustment(OpaquePointer(widget)) else { return }
        mapped.follow(view, adjustment: adjustment)
    }

    /// Shows all bound rows anew, because something that is about all of them has changed.
    func refresh() {
        for row in rows.values { if let photo = row.photo { row.show(list[photo], isPaused: list.isPaused) } }
    }

    private func update(_ photos: Set<Photo.ID>) {
        for row in rows.values {
            if let photo = row.photo, photos.contains(photo) { row.show(list[photo], isPaused: list.isPaused) }
        }
        onChange()
    }

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
            if let item = item.pointer { self?.rows[item] = nil }
        }
    }

    private func setUp(_ item: OpaquePointer) {
        let row = PhotoRow { [weak self] photo in self?.list.retry(photo) }
        guard let widget = row.widget else { return }
        rows[item] = row
        gtk_list_item_set_child(item, widget)
        mapped.watch(widget)
    }

    private func bind(_ item: OpaquePointer) {
        guard let row = rows[item], let widget = row.widget, let object = gtk_list_item_get_item(item) else { return }
        let photo = IdentifierModel.identifier(of: OpaquePointer(object))
        row.show(list[Photo.ID(photo)], isPaused: list.isPaused)
        mapped.bind(widget, position: gtk_list_item_get_position(item), identifier: photo)
    }

    private func unbind(_ item: OpaquePointer) {
        guard let row = rows[item], let widget = row.widget else { return }
        row.clear()
        mapped.unbind(widget)
    }
}
