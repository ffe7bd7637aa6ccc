import CGtk
import GtkSupport
import Operations
import PhotoPipeline
import Pixels
import XCTest

@testable import PhotoApp

final class LookChooserTests: GtkTestCase {
    func testPreviewsThatAreReadyAfterTheWindowWasClosedAreShownNowhere() throws {
        try MainActor.assumeIsolated {
            Complaints.listen()
            let complaints = Complaints.all.count
            let chooser = LookChooser(.original)
            let grey = PixelBuffer(uninitialized: PixelSize(width: 64, height: 64), isOpaque: true) { bytes in
                for index in bytes.indices { bytes[index] = 255 }
            }
            var isAsked = false
            chooser.onNeedImage = {
                isAsked = true
                return ScaledImage(pixels: grey, scale: 1)
            }
            let window = try XCTUnwrap(gtk_window_new())
            gtk_window_set_child(cast(window), chooser.button)
            gtk_window_present(cast(window))
            gtk_menu_button_popup(chooser.button.map { OpaquePointer($0) })
            Self.wait("previews to be made") { isAsked }
            // The loop does not turn before the window is gone, so that what was made finds nothing there.
            chooser.queue.waitUntilAllOperationsAreFinished()
            chooser.close()
            gtk_window_destroy(cast(window))
            var isToldOfAll = false
            OperationQueue.main.addOperation { MainActor.assumeIsolated { isToldOfAll = true } }
            Self.wait("the end of the queue") { isToldOfAll }
            XCTAssertEqual(Array(Complaints.all.dropFirst(complaints)), [])
        }
    }

    func testPreviewsThatWaitForTheirPictureAreMadeWhenItIsThere() throws {
        try MainActor.assumeIsolated {
            let chooser = LookChooser(.original)
            let image = ScaledImage(pixels: PixelBuffer(size: PixelSize(width: 64, height: 48)), scale: 1)
            var there: ScaledImage? = image
            chooser.onNeedImage = { there }
            let window = try Self.window(with: chooser)
            defer { gtk_window_destroy(cast(window)) }
            chooser.open()
            let offered = try Self.offered(by: chooser)
            Self.wait("previews") { Self.pictures(in: offered) > 4 }
            chooser.dismiss()
            Self.wait("the end") { !chooser.isOpen }
            there = nil
            chooser.open()
            Self.wait("no previews of another photo") { chooser.isOpen && Self.pictures(in: offered) == 0 }
            chooser.imageChanged()
            there = image
            chooser.imageChanged()
            Self.wait("previews again") { Self.pictures(in: offered) > 4 }
        }
    }

    func testTheLookThatIsMarkedCanBeChosenAgain() throws {
        try MainActor.assumeIsolated {
            let chooser = LookChooser(.classic)
            var (chosen, again): ([ChosenLook], [ChosenLook]) = ([], [])
            chooser.onChoose = { look, _ in chosen.append(look) }
            chooser.onChooseAgain = { look, _ in again.append(look) }
            let window = try Self.window(with: chooser)
            defer { gtk_window_destroy(cast(window)) }
            chooser.open()
            let offered = try Self.offered(by: chooser)
            Self.wait("the looks") { chooser.isOpen }
            let looks = Self.looks(in: offered)
            XCTAssertGreaterThan(looks.count, 4)
            gtk_widget_activate(looks[0])
            XCTAssertEqual(again, [.classic])
            XCTAssertEqual(chosen, [])
            gtk_widget_activate(looks[1])
            XCTAssertEqual(chosen.map(\.identifier), [LookChoice.all[1].identifier])
            XCTAssertEqual(again.last, chosen.last)
        }
    }

    /// One's own looks come after all others.
    func testTheLookThatIsChosenIsInSight() throws {
        try MainActor.assumeIsolated {
            defer { for entry in SavedLooks.entries { try? SavedLooks.remove(entry) } }
            let entry = try SavedLooks.keep(SavedLooks.Entry(name: "Ash", text: "grayscale(1)"))
            let chooser = LookChooser(ChosenLook(identifier: entry.identifier))
            let window = try Self.window(with: chooser)
            defer { gtk_window_destroy(cast(window)) }
            chooser.open()
            let adjustment = gtk_scrolled_window_get_vadjustment(chooser.scrolled.map { OpaquePointer($0) })
            Self.wait("the end of the looks") {
                let end = gtk_adjustment_get_upper(adjustment) - gtk_adjustment_get_page_size(adjustment)
                return end > 100 && gtk_adjustment_get_value(adjustment) > end - 1
            }
            chooser.close()
        }
    }

    /// On a screen that is 360 pixels wide, what is offered may not be wider; on others it is as wide as four looks.
    func testAScreenOf360PixelsHasRoomForIt() throws {
        try MainActor.assumeIsolated {
            let chooser = LookChooser(.original)
            // Previews have more pixels than they are shown with.
            chooser.onNeedImage = {
                ScaledImage(pixels: PixelBuffer(size: PixelSize(width: 640, height: 320)), scale: 1)
            }
            let window = try Self.window(with: chooser)
            defer { gtk_window_destroy(cast(window)) }
            gtk_menu_button_popup(chooser.button.map { OpaquePointer($0) })
            let offered = try Self.offered(by: chooser)
            Self.wait("previews") { Self.pictures(in: offered) > 4 }
            var (least, natural): (Int32, Int32) = (0, 0)
            gtk_widget_measure(offered, GTK_ORIENTATION_HORIZONTAL, -1, &least, &natural, nil, nil)
            XCTAssertGreaterThan(least, 0)
            XCTAssertLessThanOrEqual(least, 360)
            XCTAssertTrue((361...480).contains(natural), "\(natural)")
        }
    }

    @MainActor private static func window(with chooser: LookChooser) throws -> UnsafeMutablePointer<GtkWidget> {
        let window = try XCTUnwrap(gtk_window_new())
        gtk_window_set_child(cast(window), chooser.button)
        gtk_window_present(cast(window))
        return window
    }

    /// What lies over the window while looks are chosen.
    @MainActor private static func offered(by chooser: LookChooser) throws -> UnsafeMutablePointer<GtkWidget> {
        let popover = gtk_menu_button_get_popover(chooser.button.map { OpaquePointer($0) })
        return try XCTUnwrap(cast(popover))
    }

    /// What stands for the looks, in their order.
    @MainActor private static func looks(
        in widget: UnsafeMutablePointer<GtkWidget>
    ) -> [UnsafeMutablePointer<GtkWidget>] {
        if g_type_is_a(cgtk_instance_type(UnsafeMutableRawPointer(widget)), gtk_flow_box_child_get_type()) != 0 {
            return [widget]
        }
        var found: [UnsafeMutablePointer<GtkWidget>] = []
        var child = gtk_widget_get_first_child(widget)
        while let next = child {
            found += looks(in: next)
            child = gtk_widget_get_next_sibling(next)
        }
        return found
    }

    /// How many pictures have something to show.
    @MainActor private static func pictures(in widget: UnsafeMutablePointer<GtkWidget>) -> Int {
        let isPicture = g_type_is_a(cgtk_instance_type(UnsafeMutableRawPointer(widget)), gtk_picture_get_type()) != 0
        var count = isPicture && gtk_picture_get_paintable(OpaquePointer(widget)) != nil ? 1 : 0
        var child = gtk_widget_get_first_child(widget)
        while let next = child {
            count += pictures(in: next)
            child = gtk_widget_get_next_sibling(next)
        }
        return count
    }
}
