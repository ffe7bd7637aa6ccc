import CGtk
import GtkSupport
import XCTest

final class MappedRowsTests: GtkTestCase {
    func testOnlyRowsOnScreenAreReported() throws {
        try MainActor.assumeIsolated {
            let fixture = try ListFixture(IdentifierModel(count: 100_000) { $0 + 7 })
            Self.wait("first rows") { fixture.visible.first == 7 && fixture.visible.count >= 5 }
            XCTAssertLessThan(fixture.visible.count, 14)
            XCTAssertEqual(fixture.positions, 0..<fixture.visible.count)
            XCTAssertGreaterThan(fixture.bound.count, fixture.visible.count, "being bound is not being visible")
            XCTAssertEqual(fixture.phases, [])
            fixture.close()
        }
    }

    func testAJumpIsReportedAfterItsLayout() throws {
        try MainActor.assumeIsolated {
            let fixture = try ListFixture(IdentifierModel(count: 100_000) { $0 })
            Self.wait("first rows") { fixture.visible.first == 0 }
            let before = fixture.reports
            let middle = gtk_adjustment_get_upper(fixture.adjustment) / 2
            var turns = 0.0
            Self.wait("rows in the middle") {
                // One step for each turn of the loop, as a dragged scrollbar makes them.
                turns += 1
                if turns < 20 { gtk_adjustment_set_value(fixture.adjustment, middle + turns) }
                return (fixture.visible.first ?? 0) > 1_000
            }
            let visible = fixture.visible
            let first = try XCTUnwrap(visible.first)
            XCTAssertEqual(visible, Array(first..<(first + visible.count)), "in their order, without a gap")
            XCTAssertEqual(fixture.positions, first..<(first + visible.count))
            XCTAssertLessThan(visible.count, 14)
            XCTAssertLessThanOrEqual(fixture.reports - before, 4, "not one report for each row")
            Self.wait("end of scrolling") { fixture.phases.last == false }
            // Where the machine is busy for long, there may be a rest between two steps.
            XCTAssertEqual(fixture.phases, (0..<fixture.phases.count).map { $0 % 2 == 0 })
            fixture.close()
        }
    }

    /// As on X11 while a window waits for its new size and shows a popover.
    func testNothingIsReportedInFramesWithoutALayout() throws {
        try MainActor.assumeIsolated {
            let model = IdentifierModel(count: 100_000) { $0 }
            let fixture = try ListFixture(model)
            Self.wait("first rows") { fixture.visible.first == 0 }
            let surface = try XCTUnwrap(gtk_native_get_surface(OpaquePointer(fixture.window)))
            let clock = try XCTUnwrap(gtk_widget_get_frame_clock(fixture.window))
            var frames = 0
            connect(clock, "after-paint") { frames += 1 }
            let view = gtk_window_get_child(cast(fixture.window))
            let adjustment = fixture.adjustment
            let hideAndReplace = {
                gtk_widget_set_visible(view, 0)
                Self.wait("no row") { fixture.visible.isEmpty }
                model.replace(count: 80_000) { 2_000_000 + $0 }
                let before = frames
                Self.wait("a layout without them") {
                    gtk_widget_queue_resize(fixture.window)
                    return frames > before + 2
                }
            }
            let changes: [(prepare: () -> Void, make: () -> Void)] = [
                // Other rows, which have no size yet.
                ({}, { model.replace(count: 90_000) { 1_000_000 + $0 } }),
                // Rows that show another photo and still have the size, and the place, that they had.
                ({}, { gtk_adjustment_set_value(adjustment, gtk_adjustment_get_value(adjustment) + 3_000) }),
                // Rows that came behind something else.
                (hideAndReplace, { gtk_widget_set_visible(view, 1) }),
            ]
            for change in changes {
                change.prepare()
                // Nor is anything drawn.
                let handlers = ["layout", "render"].flatMap { Self.handlers(of: $0, at: surface) }
                XCTAssertEqual(handlers.count, 3)
                for handler in handlers { g_signal_handler_block(UnsafeMutableRawPointer(surface), handler) }
                let (reports, visible, framesBefore) = (fixture.reports, fixture.visible, frames)
                change.make()
                Self.wait("frames") {
                    gdk_frame_clock_request_phase(clock, GDK_FRAME_CLOCK_PHASE_AFTER_PAINT)
                    return frames > framesBefore + 3
                }
                XCTAssertEqual(fixture.reports, reports)
                for handler in handlers { g_signal_handler_unblock(UnsafeMutableRawPointer(surface), handler) }
                // The frames above have taken the request for a layout along.
                gdk_surface_request_layout(surface)
                gdk_surface_queue_render(surface)
                Self.wait("other rows") { fixture.visible != visible }
                let first = try XCTUnwrap(fixture.visible.first)
                XCTAssertEqual(fixture.visible, Array(first..<first + fixture.visible.count))
                XCTAssertEqual(fixture.positions.count, fixture.visible.count)
                XCTAssertLessThan(fixture.visible.count, 14)
            }
            fixture.close()
        }
    }

    func testRowsThatCameWhileTheWindowWasHiddenAreReportedWhenItIsBack() throws {
        try MainActor.assumeIsolated {
            let model = IdentifierModel(count: 1_000) { $0 }
            let fixture = try ListFixture(model)
            Self.wait("first rows") { fixture.visible.first == 0 }
            for first in [5_000, 10_000] {
                gtk_widget_set_visible(fixture.window, 0)
                model.replace(count: 1_000) { first + $0 }
                gtk_widget_set_visible(fixture.window, 1)
                Self.wait("the new rows") { (fixture.visible.first ?? 0) >= first }
                XCTAssertEqual(fixture.positions.count, fixture.visible.count)
                XCTAssertLessThan(fixture.visible.count, 14)
            }
            fixture.close()
        }
    }

    func testNothingStaysBehindOnTheClockOfTheWindow() throws {
        try MainActor.assumeIsolated {
            let fixture = try ListFixture(IdentifierModel(count: 100) { $0 })
            Self.wait("first rows") { fixture.visible.first == 0 }
            let clock = try XCTUnwrap(gtk_widget_get_frame_clock(fixture.window))
            let surface = try XCTUnwrap(gtk_native_get_surface(OpaquePointer(fixture.window)))
            let signals = [("layout", surface), ("after-paint", clock)]
            let before = signals.map { Self.handlers(of: $0, at: $1).count }
            fixture.stop()
            XCTAssertEqual(signals.map { Self.handlers(of: $0, at: $1).count }, before.map { $0 - 1 })
            fixture.close()
        }
    }

    private static func handlers(of signal: String, at object: OpaquePointer) -> [gulong] {
        let object = UnsafeMutableRawPointer(object)
        let identifier = g_signal_lookup(signal, cgtk_instance_type(object))
        // One is found after the other, by blocking those that were found.
        let mask = GSignalMatchType(G_SIGNAL_MATCH_ID.rawValue | G_SIGNAL_MATCH_UNBLOCKED.rawValue)
        var found: [gulong] = []
        while true {
            let handler = g_signal_handler_find(object, mask, identifier, 0, nil, nil, nil)
            guard handler != 0 else { break }
            g_signal_handler_block(object, handler)
            found.append(handler)
        }
        for handler in found { g_signal_handler_unblock(object, handler) }
        return found
    }
}
