import CGtk
import Foundation
import GtkSupport
import ImageCodecs
import Operations
import PhotoPipeline
import Pixels
import TestServers
import Transfers
import XCTest

@testable import PhotoApp
@testable import PhotoBrowser

/// What is closed or replaced is freed: GTK 4.8 and libadwaita 1.2 keep some of it where one does not take care.
final class ReleaseTests: GtkTestCase {
    func testPreferencesThatWereClosedAreFreed() throws {
        try MainActor.assumeIsolated {
            Complaints.listen()
            let complaints = Complaints.all.count
            let folder = FileManager.default.temporaryDirectory.appending(path: "classicphotos-none-\(UUID())")
            PreferencesWindow.show(over: nil, Preferences(), DiskCache(folder: folder.path)) { _ in }
            let window = try XCTUnwrap(Self.window(titled: "Preferences"))
            Self.wait("the window") { gtk_widget_get_mapped(window) != 0 }
            let row = WeakObject(try XCTUnwrap(Self.first(adw_combo_row_get_type(), below: window)))
            XCTAssertTrue(row.isAlive)
            let kept = WeakObject(try XCTUnwrap(Self.last(adw_action_row_get_type(), below: window)))
            gtk_window_close(cast(window))
            Self.wait("the end of its rows") { !row.isAlive && !kept.isAlive }
            XCTAssertFalse(FileManager.default.fileExists(atPath: folder.path), "to look makes nothing")
            XCTAssertEqual(Array(Complaints.all.dropFirst(complaints)), [])
        }
    }

    func testTheMenuOfRecentCatalogsStaysOpenWhileItChanges() throws {
        try MainActor.assumeIsolated {
            Complaints.listen()
            let complaints = Complaints.all.count
            let looks = LookChooser(.original)
            let header = WindowHeader(looks: looks)
            let window = try XCTUnwrap(gtk_window_new())
            gtk_window_set_titlebar(cast(window), header.widget)
            gtk_window_present(cast(window))
            header.showRecent(["/first.csv"])
            let button = try XCTUnwrap(Self.first(adw_split_button_get_type(), below: window))
            let popover = try XCTUnwrap(adw_split_button_get_popover(OpaquePointer(button)))
            let menu: UnsafeMutablePointer<GtkWidget> = try XCTUnwrap(cast(popover))
            adw_split_button_popup(OpaquePointer(button))
            Self.wait("the menu") { gtk_widget_get_mapped(menu) != 0 }
            header.showRecent(["/second.csv", "/first.csv"])
            Self.wait("its new entry") { Self.texts(below: menu).contains("/second.csv") }
            XCTAssertEqual(adw_split_button_get_popover(OpaquePointer(button)), popover)
            XCTAssertNotEqual(gtk_widget_get_mapped(menu), 0)
            XCTAssertEqual(Self.texts(below: menu).filter { $0.hasPrefix("/") }, ["/second.csv", "/first.csv"])
            adw_split_button_popdown(OpaquePointer(button))
            looks.close()
            gtk_window_destroy(cast(window))
            XCTAssertEqual(Array(Complaints.all.dropFirst(complaints)), [])
        }
    }

    func testALargePhotoThatIsLeftSaysNothingNewWhileItFadesOut() throws {
        try MainActor.assumeIsolated {
            Complaints.listen()
            let complaints = Complaints.all.count
            let server = try FaultServer()
            defer { server.stop() }
            let image = PixelBuffer(size: PixelSize(width: 8, height: 6))
            server.serve(try ImageEncoder(format: .png).encode(image), at: "/it")
            let catalog = try Catalog(
                parsing: Data("name,url\nIt,\(server.url("/it"))\n".utf8), origin: .file(path: "/catalog.csv"))
            let list = PhotoList(catalog: catalog, pipeline: PhotoPipeline(), longestSide: 16)
            let viewer = PhotoViewer()
            let window = try XCTUnwrap(gtk_window_new())
            gtk_window_set_child(cast(window), viewer.widget)
            gtk_window_present(cast(window))
            viewer.show(Photo.ID(0), of: list)
            let whenDone = ["It", "1 of 1", "All Photos", "", "Before", "After"]
            Self.wait("the photo") { Self.texts(below: window) == whenDone }
            XCTAssertEqual(gtk_widget_get_can_target(viewer.widget), 1)
            viewer.leave()
            XCTAssertEqual(Self.texts(below: window), whenDone)
            XCTAssertEqual(gtk_widget_get_can_target(viewer.widget), 0, "who clicks now means what is behind it")
            list.close()
            gtk_window_destroy(cast(window))
            // The window is as small as can be, and leaves the photo no height.
            XCTAssertEqual(Array(Complaints.all.dropFirst(complaints)), [])
        }
    }

    func testAFrameThatIsClearedKeepsNoPicture() throws {
        try MainActor.assumeIsolated {
            let frame = ImageFrame(width: 96, height: 72)
            let widget = try XCTUnwrap(frame.widget)
            let image = PixelBuffer(size: PixelSize(width: 8, height: 6))
            frame.show(Self.row(image), isSame: false)
            frame.clear()
            XCTAssertEqual(Self.shownPictures(below: widget), [false, false])
            g_object_ref_sink(widget)
            g_object_unref(widget)
        }
    }

    func testAFrameOffScreenKeepsNoPictureThatTheListHasLetGo() throws {
        try MainActor.assumeIsolated {
            let frame = ImageFrame(width: 96, height: 72)
            let widget = try XCTUnwrap(frame.widget)
            // Another picture of the same photo has come before.
            for side in [8, 16] {
                let image = PixelBuffer(size: PixelSize(width: side, height: side))
                frame.show(Self.row(image), isSame: side == 16)
            }
            XCTAssertEqual(Self.shownPictures(below: widget), [true, true])
            frame.show(Self.row(nil), isSame: true)
            XCTAssertEqual(Self.shownPictures(below: widget), [false, false])
            g_object_ref_sink(widget)
            g_object_unref(widget)
        }
    }

    func testAFrameOnScreenKeepsNoPictureThatHasFadedOut() throws {
        try MainActor.assumeIsolated {
            let frame = ImageFrame(width: 96, height: 72)
            let widget = try XCTUnwrap(frame.widget)
            let window = try XCTUnwrap(gtk_window_new())
            gtk_window_set_child(cast(window), widget)
            gtk_window_present(cast(window))
            Self.wait("the frame") { gtk_widget_get_mapped(widget) != 0 }
            frame.show(Self.row(PixelBuffer(size: PixelSize(width: 8, height: 6))), isSame: false)
            XCTAssertTrue(Self.shownPictures(below: widget).contains(true))
            frame.show(Self.row(nil), isSame: true)
            Self.wait("the end of the picture") { Self.shownPictures(below: widget) == [false, false] }
            gtk_window_destroy(cast(window))
        }
    }

    func testTheControlsOfALaneAreFreed() throws {
        try MainActor.assumeIsolated {
            for (hasWidth, canStep) in [(true, true), (true, false), (false, false)] {
                var widgets: [WeakObject] = []
                @MainActor func use() throws {
                    let controls = LaneControls(
                        OperationQueue(), name: "Queue", hasWidth: hasWidth, canStep: canStep, onSuspend: {})
                    let widget = try XCTUnwrap(controls.widget)
                    g_object_ref_sink(widget)
                    // Also those that were never put into it.
                    let parts = Mirror(reflecting: controls).children.compactMap {
                        $0.value as? UnsafeMutablePointer<GtkWidget>
                    }
                    XCTAssertTrue(parts.contains(widget))
                    widgets = parts.map { WeakObject($0) }
                    g_object_unref(widget)
                }
                try use()
                Self.wait("the end of all parts") { widgets.allSatisfy { !$0.isAlive } }
            }
        }
    }

    func testTheEditorOfALookIsFreedWithItsMark() throws {
        try MainActor.assumeIsolated {
            LookEditor.show(over: nil, nil, beginningWith: "sepia(1)", image: nil) { _ in true }
            let window = try XCTUnwrap(Self.window(titled: "New Look"))
            let view = try XCTUnwrap(Self.first(gtk_text_view_get_type(), below: window))
            let table = gtk_text_buffer_get_tag_table(gtk_text_view_get_buffer(cast(view)))
            var found: gpointer?
            gtk_text_tag_table_foreach(
                table, { tag, found in found?.assumingMemoryBound(to: gpointer?.self).pointee = gpointer(tag) }, &found)
            let tag = WeakObject(try XCTUnwrap(found).assumingMemoryBound(to: GtkWidget.self))
            gtk_window_destroy(cast(window))
            Self.wait("the end of the mark") { !tag.isAlive }
        }
    }

    func testACardSaysTheWholeReasonWhereThePictureWouldBe() throws {
        try MainActor.assumeIsolated {
            let card = PhotoCard { _ in }
            let widget = try XCTUnwrap(card.widget)
            let error = PhotoError(.redirects, "")
            let row = PhotoList.Row(id: Photo.ID(0), name: "Sea", state: .failed(error), image: nil, original: nil)
            card.show(row, isPaused: false)
            XCTAssertEqual(Set(Self.texts(below: widget)), [error.sentence, "Sea", ""])
            var labels = 0
            Self.each(below: widget) { child in
                guard g_type_is_a(cgtk_instance_type(child), gtk_label_get_type()) != 0,
                    gtk_label_get_text(OpaquePointer(child)).map({ String(cString: $0) }) == error.sentence
                else { return }
                labels += 1
                // In the width of the picture the sentence takes more than a line, and loses nothing.
                let layout = gtk_label_get_layout(OpaquePointer(child))
                pango_layout_set_width(layout, (ThumbnailSize.medium.card.width - 16) * Int32(PANGO_SCALE))
                XCTAssertGreaterThan(pango_layout_get_line_count(layout), 1)
                XCTAssertEqual(pango_layout_is_ellipsized(layout), 0)
            }
            XCTAssertEqual(labels, 1)
            // The card is used for another photo.
            card.show(Self.row(PixelBuffer(size: PixelSize(width: 8, height: 6))), isPaused: false)
            XCTAssertFalse(Self.texts(below: widget).contains(error.sentence))
            g_object_ref_sink(widget)
            g_object_unref(widget)
        }
    }

    func testADamagedPhotoIsShownAndSaysSo() throws {
        try MainActor.assumeIsolated {
            let card = PhotoCard { _ in }
            let widget = try XCTUnwrap(card.widget)
            let image = PixelBuffer(size: PixelSize(width: 8, height: 6))
            card.show(
                PhotoList.Row(
                    id: Photo.ID(0), name: "Sea", state: .filtered, image: image, original: nil,
                    damage: "half of the data is missing"), isPaused: false)
            XCTAssertTrue(Self.texts(below: widget).contains(tr("The picture is damaged")))
            // Another photo that is whole takes the card.
            card.show(
                PhotoList.Row(id: Photo.ID(1), name: "Hill", state: .filtered, image: image, original: nil),
                isPaused: false)
            XCTAssertFalse(Self.texts(below: widget).contains(tr("The picture is damaged")))
            g_object_ref_sink(widget)
            g_object_unref(widget)
        }
    }

    func testAWindowThatIsClosedGivesItsMemoryBack() throws {
        try MainActor.assumeIsolated {
            try OwnPhotosTests.withPhotos { photos, _ in
                Complaints.listen()
                let complaints = Complaints.all.count
                let application = Self.application(named: "ReleaseTests")
                weak var window: BrowserWindow?
                weak var pipeline: PhotoPipeline?
                weak var list: PhotoList?
                var widget: WeakObject?
                @MainActor func useWindow() throws {
                    let made = BrowserWindow(application: application.pointer, diskCache: nil)
                    (window, pipeline) = (made, made.pipeline)
                    widget = WeakObject(try XCTUnwrap(made.window))
                    made.present()
                    made.open(.one(.path(photos.path)))
                    Self.wait("the photos") {
                        made.list?.failedCount == 0 && made.list.map { $0[Photo.ID(1)].image != nil } ?? false
                    }
                    list = made.list
                    made.openLarge(Photo.ID(0))
                    Self.wait("the large view") { made.viewer.photo != nil }
                    made.closeLarge()
                    made.actions.turn("panel", on: true)
                    made.actions.turn("search", on: true)
                    for _ in 0..<30 { MainLoop.iterate(mayBlock: false) }
                    made.onEnd = { Task { withExtendedLifetime(made) {} } }
                    made.close()
                    made.onEnd = {}
                }
                try useWindow()
                Self.wait("the end of the widgets") { !(widget?.isAlive ?? true) }
                Self.wait("the end of the list") { list == nil }
                Self.wait("the end of the window") { window == nil }
                Self.wait("the end of the pipeline") { pipeline == nil }
                XCTAssertEqual(Array(Complaints.all.dropFirst(complaints)), [])
            }
        }
    }

    /// Photos that are opened again may be there when the window is gone, and with it the rows.
    func testWhereOneIsInAWindowThatIsClosed() throws {
        try MainActor.assumeIsolated {
            try Self.withPhotosShown(by: "PlaceOfClosedTests") { made in
                let catalog = try XCTUnwrap(made.list?.catalog)
                let widget = WeakObject(try XCTUnwrap(made.window))
                made.close()
                Self.wait("the end of the widgets") { !widget.isAlive }
                var answer: PresentPlace??
                Task { answer = .some(await made.presentPlace(in: catalog)) }
                Self.wait("the answer") { answer != nil }
                XCTAssertEqual(answer, .some(nil))
                // Also what was asked for before.
                XCTAssertEqual(made.page?.selection.photos, [])
            }
        }
    }

    /// As where it is moved to a monitor with smaller pixels.
    func testAWindowThatGetsAnotherScaleAsksForSharperPhotos() throws {
        try MainActor.assumeIsolated {
            typealias SetScale = @convention(c) (OpaquePointer?, Int32) -> Void
            let symbol = try XCTUnwrap(dlsym(nil, "gdk_x11_display_set_surface_scale"))
            let setScale = unsafeBitCast(symbol, to: SetScale.self)
            try Self.withPhotosShown(by: "ScaleTests") { made in
                let size = made.preferences.thumbnails
                XCTAssertEqual(made.list?.resize, AppStyle.rowSize(size, scale: 1))
                for scale in [2, 1] {
                    setScale(gdk_display_get_default(), Int32(scale))
                    Self.wait("scale \(scale)") { made.list?.resize == AppStyle.rowSize(size, scale: scale) }
                    Self.wait("the photos again") { made.list.map { $0[Photo.ID(1)].image != nil } ?? false }
                }
                made.close()
            }
        }
    }

    /// Where one was before a search is known also when it ends before anything was found.
    func testASearchThatIsGivenUpEarlyLeavesOneWhereOneWas() throws {
        try MainActor.assumeIsolated {
            try OwnPhotosTests.withPhotos { photos, folder in
                let catalog = folder.appending(path: "many.csv")
                let lines = (0..<1_000).map { "Photo \($0),\(photos.path)/one.png?\($0)\n" }
                try Data(("name,url\n" + lines.joined()).utf8).write(to: catalog)
                let application = Self.application(named: "SearchTests")
                let made = BrowserWindow(application: application.pointer, diskCache: nil)
                made.present()
                made.open(.one(.path(catalog.path)))
                Self.wait("the rows") { made.page.map { !$0.visibleRows.isEmpty } ?? false }
                let (list, page) = (try XCTUnwrap(made.list), try XCTUnwrap(made.page))
                page.scroll(toRow: 700)
                Self.wait("row 700") { page.visibleRows.contains(700) }
                list.arrangingQueue.isSuspended = true
                made.search.onSearch("x")
                made.search.onSearch("")
                var frames = 0
                onEachFrame(of: made.window) { _ in
                    frames += 1
                    return frames < 30
                }
                Self.wait("30 frames") { frames == 30 }
                // The row above may have its last pixel on screen.
                XCTAssertTrue([699, 700].contains(page.visibleRows.lowerBound), "\(page.visibleRows)")
                list.arrangingQueue.isSuspended = false
                made.close()
            }
        }
    }

    // MARK: Helpers

    /// Whether each of the pictures below a widget has something to show.
    @MainActor private static func shownPictures(below widget: UnsafeMutablePointer<GtkWidget>) -> [Bool] {
        var shown: [Bool] = []
        each(below: widget) { child in
            guard g_type_is_a(cgtk_instance_type(child), gtk_picture_get_type()) != 0 else { return }
            shown.append(gtk_picture_get_paintable(OpaquePointer(child)) != nil)
        }
        return shown
    }

    /// Opens a window on two photos, and has GTK complain of nothing.
    @MainActor private static func withPhotosShown(by name: String, _ body: (BrowserWindow) throws -> Void) throws {
        try OwnPhotosTests.withPhotos { photos, _ in
            Complaints.listen()
            let complaints = Complaints.all.count
            let application = application(named: name)
            let window = BrowserWindow(application: application.pointer, diskCache: nil)
            window.present()
            window.open(.one(.path(photos.path)))
            wait("the photos") { window.list.map { $0[Photo.ID(1)].image != nil } ?? false }
            try body(window)
            XCTAssertEqual(Array(Complaints.all.dropFirst(complaints)), [])
        }
    }

    private static func row(_ image: PixelBuffer?) -> PhotoList.Row {
        PhotoList.Row(id: Photo.ID(0), name: "", state: .new, image: image, original: nil)
    }

    @MainActor static func window(titled title: String) -> UnsafeMutablePointer<GtkWidget>? {
        let windows = gtk_window_get_toplevels()
        return (0..<g_list_model_get_n_items(windows)).lazy.compactMap { index in
            let window = g_list_model_get_item(windows, index)?.assumingMemoryBound(to: GtkWidget.self)
            g_object_unref(window)
            return window
        }.first { gtk_window_get_title(cast($0)).map { String(cString: $0) } == title }
    }

    /// What is written on labels that are shown.
    @MainActor static func texts(below widget: UnsafeMutablePointer<GtkWidget>) -> [String] {
        var texts: [String] = []
        each(below: widget) { child in
            guard g_type_is_a(cgtk_instance_type(child), gtk_label_get_type()) != 0,
                gtk_widget_is_visible(child) != 0
            else { return }
            gtk_label_get_text(OpaquePointer(child)).map { texts.append(String(cString: $0)) }
        }
        return texts
    }

    /// The buttons that are shown.
    @MainActor static func buttons(
        below widget: UnsafeMutablePointer<GtkWidget>
    ) -> [UnsafeMutablePointer<GtkWidget>] {
        var buttons: [UnsafeMutablePointer<GtkWidget>] = []
        each(below: widget) {
            if g_type_is_a(cgtk_instance_type($0), gtk_button_get_type()) != 0, gtk_widget_get_mapped($0) != 0 {
                buttons.append($0)
            }
        }
        return buttons
    }

    @MainActor private static func first(
        _ type: GType, below widget: UnsafeMutablePointer<GtkWidget>
    ) -> UnsafeMutablePointer<GtkWidget>? {
        var found: UnsafeMutablePointer<GtkWidget>?
        each(below: widget) { if found == nil, g_type_is_a(cgtk_instance_type($0), type) != 0 { found = $0 } }
        return found
    }

    @MainActor private static func last(
        _ type: GType, below widget: UnsafeMutablePointer<GtkWidget>
    ) -> UnsafeMutablePointer<GtkWidget>? {
        var found: UnsafeMutablePointer<GtkWidget>?
        each(below: widget) { if g_type_is_a(cgtk_instance_type($0), type) != 0 { found = $0 } }
        return found
    }

    @MainActor private static func each(
        below widget: UnsafeMutablePointer<GtkWidget>, _ body: (UnsafeMutablePointer<GtkWidget>) -> Void
    ) {
        var child = gtk_widget_get_first_child(widget)
        while let next = child {
            body(next)
            each(below: next, body)
            child = gtk_widget_get_next_sibling(next)
        }
    }
}
