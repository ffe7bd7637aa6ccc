import CGtk
import GtkSupport
import XCTest

/// A window with a list view whose rows are 30 pixels high, and what is reported about them.
@MainActor final class ListFixture {
    static let rowHeight = 30
    static let height = 300

    let window: UnsafeMutablePointer<GtkWidget>?
    let adjustment: UnsafeMutablePointer<GtkAdjustment>
    private(set) var bound: Set<Int> = []
    private(set) var visible: [Int] = []
    private(set) var positions = 0..<0
    private(set) var reports = 0
    private(set) var phases: [Bool] = []
    private var rows: MappedRows?

    init(_ model: IdentifierModel) throws {
        let factory = try XCTUnwrap(gtk_signal_list_item_factory_new())
        g_object_ref(UnsafeMutableRawPointer(model.pointer))
        let scrolled = gtk_scrolled_window_new()
        adjustment = try XCTUnwrap(gtk_scrolled_window_get_vadjustment(OpaquePointer(scrolled)))
        window = gtk_window_new()
        let rows = MappedRows(
            onChange: { [unowned self] in
                positions = $0
                visible = $1
                reports += 1
            }, onScrolling: { [unowned self] in phases.append($0) })
        self.rows = rows
        connectFactory(factory)
        let view = try XCTUnwrap(gtk_list_view_new(gtk_no_selection_new(model.pointer), factory))
        gtk_scrolled_window_set_child(OpaquePointer(scrolled), view)
        rows.follow(view, adjustment: adjustment)
        gtk_window_set_default_size(cast(window), 300, Int32(Self.height))
        gtk_window_set_decorated(cast(window), 0)
        gtk_window_set_child(cast(window), scrolled)
        gtk_window_present(cast(window))
    }

    private func connectFactory(_ factory: OpaquePointer) {
        connect(factory, "setup") { [unowned self] (item: SignalPointer) in
            guard let child = gtk_box_new(GTK_ORIENTATION_VERTICAL, 0) else { return }
            gtk_widget_set_size_request(child, -1, Int32(Self.rowHeight))
            gtk_list_item_set_child(item.pointer, child)
            rows?.watch(child)
        }
        connect(factory, "bind") { [unowned self] (item: SignalPointer) in
            guard let object = gtk_list_item_get_item(item.pointer), let child = gtk_list_item_get_child(item.pointer)
            else { return }
            let identifier = IdentifierModel.identifier(of: OpaquePointer(object))
            bound.insert(identifier)
            rows?.bind(child, position: gtk_list_item_get_position(item.pointer), identifier: identifier)
        }
        connect(factory, "unbind") { [unowned self] (item: SignalPointer) in
            if let child = gtk_list_item_get_child(item.pointer) { rows?.unbind(child) }
        }
    }

    /// Has the rows watched no longer.
    func stop() { rows?.stop() }

    func close() {
        gtk_window_destroy(cast(window))
    }
}
