import CGtk
import GtkSupport
import ImageCodecs
import OperationsTesting
import PhotoBrowser
import PhotoPipeline
import Pixels
import TestServers
import XCTest

@testable import PhotoApp

/// What is really painted in the rows of the app, frame by frame, while somebody scrolls and jumps at random.
///
/// Each photo is of one grey by its number, so that a picture tells whose it is.
final class RecycledRowTests: GtkTestCase {
    private static let greys = 20

    func testARecycledRowNeverShowsAnotherPhotosPicture() throws {
        for layout in [Preferences.Layout.list, .grid] {
            try Self.withPage(of: 2_000, layout, cacheLimit: 200_000) { page, paintings in
                // On the way it is waited for half of the pictures only, so that others arrive late.
                try Self.wander(page) { 2 * paintings.last.count { $0.grey != nil } > paintings.last.count }
                page.scroll(toRow: 700)
                Self.wait("all pictures") { paintings.last.count > 3 && paintings.last.allSatisfy { $0.grey != nil } }
                let images = paintings.all.filter { $0.grey != nil }
                let wrong = images.filter { $0.grey != Self.grey($0.photo) }
                XCTAssertEqual(wrong.map(\.name), [], "\(layout)")
                XCTAssertGreaterThan(images.count, 100)
                // The rows are those that the list says they are.
                let first = try XCTUnwrap(paintings.last.map(\.photo).min())
                XCTAssertEqual(paintings.last.map(\.photo).sorted(), Array(first..<first + paintings.last.count))
            }
        }
    }

    func testNoPlaceholderFlashesOnAMemoryHit() throws {
        for layout in [Preferences.Layout.list, .grid] {
            try Self.withPage(of: 40, layout, cacheLimit: 96_000_000) { page, paintings in
                page.list.visibleRowsChanged(0..<40)
                Self.wait("everything in memory") {
                    (0..<40).allSatisfy { page.list[Photo.ID($0)].state == .filtered }
                }
                Self.wait("pictures") { paintings.last.count > 3 && paintings.last.allSatisfy { $0.grey != nil } }
                paintings.forget()
                try Self.wander(page)
                let flashes = paintings.all.filter { $0.grey == nil }
                XCTAssertEqual(flashes.map { "\($0.name): \($0.page)" }, [], "\(layout)")
                XCTAssertGreaterThan(Set(paintings.all.map(\.photo)).count, 20)
            }
        }
    }

    func testRowsAreOnScreenWhereverSeveralMovesInAFrameLead() throws {
        for (layout, columns) in [(Preferences.Layout.list, 1), (.grid, 2)] {
            try Self.withPage(of: 2_000, layout, cacheLimit: 200_000) { page, paintings in
                let adjustment = try XCTUnwrap(page.adjustment)
                var random = SeededRandom(seed: 7)
                for step in 0..<60 {
                    let span = gtk_adjustment_get_upper(adjustment) - gtk_adjustment_get_page_size(adjustment)
                    var target = 0.0
                    for _ in 0..<Int.random(in: 1...4, using: &random) {
                        target = Double.random(in: 0...span, using: &random).rounded()
                        gtk_adjustment_set_value(adjustment, target)
                        for _ in 0..<Int.random(in: 0...3, using: &random) { MainLoop.iterate(mayBlock: false) }
                    }
                    let rowHeight = gtk_adjustment_get_upper(adjustment) / Double(2_000 / columns)
                    let expected = Int(target / rowHeight) * columns
                    Self.wait("rows at \(expected), \(layout), step \(step)") {
                        abs((page.visibleRows.first ?? -1_000) - expected) <= columns
                            && paintings.last.count >= page.visibleRows.count
                    }
                    XCTAssertEqual(gtk_adjustment_get_value(adjustment), target, accuracy: 2, "step \(step)")
                }
            }
        }
    }

    /// As the pointer does: the row that comes under it when its own leaves the screen is selected, in the layout.
    func testRowsThatAreBoundAgainInTheMiddleOfALayoutAreDrawn() throws {
        for layout in [Preferences.Layout.list, .grid] {
            try Self.withPage(of: 400, layout, cacheLimit: 96_000_000) { page, paintings in
                Complaints.listen()
                let complaints = Complaints.all.count
                let view = try XCTUnwrap(
                    Self.first(layout == .list ? "GtkListView" : "GtkGridView", below: XCTUnwrap(page.widget)))
                let selection =
                    layout == .list
                    ? gtk_list_view_get_model(OpaquePointer(view)) : gtk_grid_view_get_model(OpaquePointer(view))
                var selections = 0
                var cell = gtk_widget_get_first_child(view)
                while let next = cell {
                    connect(next, "unmap") { [weak page] in
                        guard let rows = page?.visibleRows, !rows.isEmpty else { return }
                        selections += 1
                        let row = selections % 2 == 0 ? rows.lowerBound : rows.upperBound - 1
                        gtk_selection_model_select_item(selection, guint(row), 1)
                    }
                    cell = gtk_widget_get_next_sibling(next)
                }
                Self.wait("pictures") { paintings.last.count > 3 && paintings.last.allSatisfy { $0.grey != nil } }
                let adjustment = try XCTUnwrap(page.adjustment)
                for step in 0..<120 {
                    let place = gtk_adjustment_get_value(adjustment) + (step < 60 ? 28 : -28)
                    gtk_adjustment_set_value(adjustment, place)
                    let frames = paintings.frames
                    Self.wait("a frame") { paintings.frames > frames }
                }
                XCTAssertGreaterThan(selections, 10)
                XCTAssertEqual(Array(Complaints.all.dropFirst(complaints)), [], "\(layout)")
                Self.wait("pictures") { paintings.last.count > 3 && paintings.last.allSatisfy { $0.grey != nil } }
            }
        }
    }

    func testThePlaceIsKnownWhileTheLargeViewCoversThePhotos() throws {
        for layout in [Preferences.Layout.list, .grid] {
            try Self.withPage(of: 400, layout, cacheLimit: 96_000_000) { page, _ in
                page.scroll(toRow: 100)
                Self.wait("row 100") { page.visibleRows.contains(100) }
                let adjustment = try XCTUnwrap(page.adjustment)
                let elsewhere = gtk_adjustment_get_value(adjustment) / 2
                // Row 100 is held for some frames.
                Self.wait("another row") {
                    gtk_adjustment_set_value(adjustment, elsewhere)
                    return !page.visibleRows.contains(100) && page.topPhoto != page.list.photo(atRow: 100)
                }
                let top = page.topPhoto
                XCTAssertNotNil(top)
                gtk_widget_set_visible(page.widget, 0)
                Self.wait("no row") { page.visibleRows.isEmpty }
                XCTAssertEqual(page.topPhoto, top)
            }
        }
    }

    func testTheMenuOfARowGoesWithTheRow() throws {
        for layout in [Preferences.Layout.list, .grid] {
            try Self.withPage(of: 400, layout, cacheLimit: 96_000_000) { page, paintings in
                Complaints.listen()
                let complaints = Complaints.all.count
                Self.wait("pictures") { paintings.last.count > 3 && paintings.last.allSatisfy { $0.grey != nil } }
                let row = try XCTUnwrap(
                    Self.first(layout == .list ? "AdwClamp" : "GtkBox", below: XCTUnwrap(page.widget)))
                let widget = try XCTUnwrap(page.widget)
                try XCTUnwrap(page.menu).show(page.list.photo(atRow: 0), at: row)
                let popover = try XCTUnwrap(Self.first("GtkPopoverMenu", below: widget))
                Self.wait("the keyboard in the menu") { Self.hasKeyboard(popover) }
                let menu = WeakObject(popover)
                var framesBefore: Int?
                Task {
                    page.rearrange(showing: 0)
                    XCTAssertNil(Self.first("GtkPopoverMenu", below: widget))
                    framesBefore = paintings.frames
                }
                Self.wait("a frame") { framesBefore.map { paintings.frames > $0 } ?? false }
                Self.wait("the end of the menu") { !menu.isAlive }
                Self.wait("the keyboard back at the photos") { Self.hasKeyboard(widget) }
                XCTAssertEqual(Array(Complaints.all.dropFirst(complaints)), [], "\(layout)")
            }
        }
    }

    /// Whether a widget or one in it has the keyboard of its window.
    @MainActor private static func hasKeyboard(_ widget: Widget) -> Bool {
        guard let focus = gtk_root_get_focus(gtk_widget_get_root(widget)) else { return false }
        return focus == widget || gtk_widget_is_ancestor(focus, widget) != 0
    }

    /// Moves to and fro, lets the loop turn a few times after each step, and now and then until something is there.
    @MainActor private static func wander(_ page: PhotosPage, isThere: () -> Bool = { true }) throws {
        let adjustment = try XCTUnwrap(page.adjustment)
        var random = SeededRandom(seed: 11)
        for step in 0..<120 {
            let span = max(1, gtk_adjustment_get_upper(adjustment) - gtk_adjustment_get_page_size(adjustment))
            let isJump = Int.random(in: 0..<3, using: &random) == 0
            let near = gtk_adjustment_get_value(adjustment) + Double.random(in: -90...150, using: &random)
            let target = isJump ? Double.random(in: 0...span, using: &random) : near
            gtk_adjustment_set_value(adjustment, min(max(0, target), span))
            for _ in 0..<Int.random(in: 1...12, using: &random) where !MainLoop.iterate(mayBlock: false) {
                usleep(2_000)
            }
            if step % 4 == 0 { wait("pictures on the way") { !page.visibleRows.isEmpty && isThere() } }
        }
    }

    // MARK: What is painted

    /// What a row on screen showed in a frame.
    private struct Painting {
        let name: String
        /// The grey of its picture, if it showed one.
        let grey: UInt8?
        let page: String

        var photo: Int { name.split(separator: " ").last.flatMap { Int($0) } ?? -1 }
    }

    @MainActor private final class Paintings {
        private(set) var all: [Painting] = []
        private(set) var last: [Painting] = []
        private(set) var frames = 0

        func add(_ frame: [Painting]) {
            frames += 1
            last = frame
            all += frame
        }

        func forget() { all = [] }
    }

    private static func withPage(
        of count: Int, _ layout: Preferences.Layout, cacheLimit: Int,
        _ body: @MainActor (PhotosPage, Paintings) throws -> Void
    ) throws {
        try MainActor.assumeIsolated { try makePage(of: count, layout, cacheLimit: cacheLimit, body) }
    }

    @MainActor private static func makePage(
        of count: Int, _ layout: Preferences.Layout, cacheLimit: Int,
        _ body: @MainActor (PhotosPage, Paintings) throws -> Void
    ) throws {
        let server = try FaultServer()
        defer { server.stop() }
        for number in 0..<greys { server.serve(try image(of: number), at: "/\(number).png") }
        let entries = (0..<count).map { "Photo \($0),\(server.url("/\($0 % greys).png").absoluteString)?\($0)\n" }
        let catalog = try Catalog(
            parsing: Data(("name,url\n" + entries.joined()).utf8), origin: .file(path: "/catalog.csv"))
        let list = PhotoList(
            catalog: catalog, pipeline: PhotoPipeline(), longestSide: 16, look: .none, cacheLimit: cacheLimit)
        let page = PhotosPage(list, layout: layout)
        list.onChange = { [weak page] in page?.refresh($0) }
        let window = try XCTUnwrap(gtk_window_new())
        gtk_window_set_default_size(cast(window), 420, 400)
        // Above the photos is somebody else who can have the keyboard.
        let box = gtk_box_new(GTK_ORIENTATION_VERTICAL, 0)
        gtk_box_append(cast(box), gtk_button_new_with_label("Other"))
        gtk_widget_set_vexpand(page.widget, 1)
        gtk_box_append(cast(box), page.widget)
        gtk_window_set_child(cast(window), box)
        let paintings = Paintings()
        connect(window, "realize") {
            // Behind the layout, in which rows are given what they show, and before anybody sees them.
            if let clock = gtk_widget_get_frame_clock(window) {
                connect(clock, "paint") { [weak paintings] in paintings?.add(rows(below: page.widget)) }
            }
        }
        gtk_window_present(cast(window))
        wait("first rows") { !page.visibleRows.isEmpty }
        try body(page, paintings)
        page.leave()
        list.close()
        gtk_window_destroy(cast(window))
    }

    @MainActor private static func rows(below widget: Widget?) -> [Painting] {
        guard let widget, gtk_widget_get_mapped(widget) != 0 else { return [] }
        if gtk_widget_has_css_class(widget, "photo-row") != 0 || gtk_widget_has_css_class(widget, "photo-card") != 0 {
            guard let stack = first("GtkStack", below: widget), let label = name(below: widget) else { return [] }
            let child = gtk_stack_get_visible_child(OpaquePointer(stack))
            let page = gtk_stack_get_visible_child_name(OpaquePointer(stack)).map { String(cString: $0) } ?? ""
            let name = gtk_label_get_text(OpaquePointer(label)).map { String(cString: $0) } ?? ""
            return [Painting(name: name, grey: child.flatMap(grey(of:)), page: page)]
        }
        var found: [Painting] = []
        var child = gtk_widget_get_first_child(widget)
        while let next = child {
            found += rows(below: next)
            child = gtk_widget_get_next_sibling(next)
        }
        return found
    }

    /// The label of a photo's name, which is a heading.
    @MainActor private static func name(below widget: Widget) -> Widget? {
        if gtk_widget_has_css_class(widget, "heading") != 0 { return widget }
        var child = gtk_widget_get_first_child(widget)
        while let next = child {
            if let found = name(below: next) { return found }
            child = gtk_widget_get_next_sibling(next)
        }
        return nil
    }

    @MainActor private static func first(_ kind: String, below widget: Widget) -> Widget? {
        if let name = gtk_widget_get_name(widget), String(cString: name) == kind { return widget }
        var child = gtk_widget_get_first_child(widget)
        while let next = child {
            if let found = first(kind, below: next) { return found }
            child = gtk_widget_get_next_sibling(next)
        }
        return nil
    }

    // MARK: Pictures

    /// The grey of a `GtkPicture`'s texture; nil if it has none.
    @MainActor private static func grey(of image: Widget) -> UInt8? {
        guard let name = gtk_widget_get_name(image), String(cString: name) == "GtkPicture",
            let texture = gtk_picture_get_paintable(OpaquePointer(image))
        else { return nil }
        let width = Int(gdk_texture_get_width(texture))
        var bytes = [UInt8](repeating: 0, count: 4 * width * Int(gdk_texture_get_height(texture)))
        gdk_texture_download(texture, &bytes, gsize(4 * width))
        return bytes[0]
    }

    private static func grey(_ photo: Int) -> UInt8 { UInt8(photo % greys * 10 + 20) }

    private static func image(of number: Int) throws -> Data {
        let buffer = PixelBuffer(uninitialized: PixelSize(width: 16, height: 12), isOpaque: true) { bytes in
            for index in bytes.indices { bytes[index] = index % 4 == 3 ? 255 : grey(number) }
        }
        return try ImageEncoder(format: .png).encode(buffer)
    }
}
