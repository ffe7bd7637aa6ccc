import CGtk
import GtkSupport
import XCTest

/// Several steps of scrolling within one frame, as a wheel makes them when the program was busy.
final class LayingOutTests: GtkTestCase {
    func testTheLastOfSeveralStepsOfAFrameCounts() throws {
        try MainActor.assumeIsolated {
            for isGrid in [true, false] {
                let fixture = try Fixture(isGrid: isGrid)
                let complaints = Complaints.all.count
                Self.wait("rows") { fixture.isLaidOut && fixture.firstLine == 0 }
                // Upwards, rows below are given up and others are made above.
                for line in stride(from: 700, through: 40, by: -60) {
                    for step in 0...4 { fixture.scroll(to: line - 5 * step) }
                    Self.wait("line \(line - 20), but \(fixture)") { fixture.isAt(line - 20) }
                }
                XCTAssertEqual(Array(Complaints.all.dropFirst(complaints)), [])
                fixture.close()
            }
        }
    }

    func testAStepAfterOtherRowsHaveComeIsOneAmongThem() throws {
        try MainActor.assumeIsolated {
            for isGrid in [true, false] {
                let fixture = try Fixture(isGrid: isGrid)
                let complaints = Complaints.all.count
                Self.wait("rows") { fixture.isLaidOut && fixture.firstLine == 0 }
                // Two steps: after a single jump GTK may wait for the next move before it lays anything out.
                for line in [499, 500] { fixture.scroll(to: line) }
                Self.wait("line 500, but \(fixture)") { fixture.isAt(500) }
                // No whole lines: what is left of the last one is where a grid's arithmetic ends.
                fixture.model.replace(count: 80 * fixture.columns - 1) { $0 }
                fixture.scroll(to: 60)
                fixture.scroll(to: 20)
                Self.wait("line 20, but \(fixture)") { fixture.isAt(20) }
                XCTAssertEqual(Array(Complaints.all.dropFirst(complaints)), [])
                fixture.close()
            }
        }
    }
}

/// A window with lines of one height, in a list of one row each, in a grid of four.
@MainActor private final class Fixture: @MainActor CustomStringConvertible {
    let columns: Int
    let model: IdentifierModel
    private let adjustment: UnsafeMutablePointer<GtkAdjustment>
    private let window = gtk_window_new()
    private var positions: [UnsafeMutablePointer<GtkWidget>: Int] = [:]

    init(isGrid: Bool) throws {
        Complaints.listen()
        columns = isGrid ? 4 : 1
        model = IdentifierModel(count: 750 * columns) { $0 }
        let scrolled = gtk_scrolled_window_new()
        adjustment = try XCTUnwrap(gtk_scrolled_window_get_vadjustment(OpaquePointer(scrolled)))
        let factory = try XCTUnwrap(gtk_signal_list_item_factory_new())
        connect(factory, "setup") { (item: SignalPointer) in
            guard let child = gtk_box_new(GTK_ORIENTATION_VERTICAL, 0) else { return }
            gtk_widget_set_size_request(child, 80, 80)
            gtk_list_item_set_child(item.pointer, child)
        }
        connect(factory, "bind") { [weak self] (item: SignalPointer) in
            guard let child = gtk_list_item_get_child(item.pointer) else { return }
            self?.positions[child] = Int(gtk_list_item_get_position(item.pointer))
        }
        connect(factory, "unbind") { [weak self] (item: SignalPointer) in
            if let child = gtk_list_item_get_child(item.pointer) { self?.positions[child] = nil }
        }
        g_object_ref(UnsafeMutableRawPointer(model.pointer))
        let selection = gtk_no_selection_new(model.pointer)
        let view = try XCTUnwrap(
            isGrid ? gtk_grid_view_new(selection, factory) : gtk_list_view_new(selection, factory))
        if isGrid {
            gtk_grid_view_set_min_columns(OpaquePointer(view), 4)
            gtk_grid_view_set_max_columns(OpaquePointer(view), 4)
        }
        layOutBeforeScrolling(view, by: adjustment)
        gtk_scrolled_window_set_child(OpaquePointer(scrolled), view)
        gtk_window_set_default_size(cast(window), 500, 400)
        gtk_window_set_child(cast(window), scrolled)
        gtk_window_present(cast(window))
    }

    /// Whether it is known how high everything is.
    var isLaidOut: Bool { gtk_adjustment_get_upper(adjustment) > 2 * gtk_adjustment_get_page_size(adjustment) + 1 }

    /// The first line on screen; nil where there is none.
    var firstLine: Int? {
        positions.filter { gtk_widget_get_mapped($0.key) != 0 }.values.min().map { $0 / columns }
    }

    /// Whether that is where it is scrolled to, and what is on screen; GTK rounds to a pixel more or less.
    func isAt(_ line: Int) -> Bool {
        guard let firstLine, abs(gtk_adjustment_get_value(adjustment) - Double(line) * height) <= 2 else {
            return false
        }
        return line - 1...line ~= firstLine
    }

    /// Where it is.
    var description: String { "at \(gtk_adjustment_get_value(adjustment) / height) with \(firstLine ?? -1) on top" }

    func scroll(to line: Int) { gtk_adjustment_set_value(adjustment, Double(line) * height) }

    func close() { gtk_window_destroy(cast(window)) }

    /// The height of a line, by the first layout: other rows do not change it.
    private lazy var height = gtk_adjustment_get_upper(adjustment) / 750
}
