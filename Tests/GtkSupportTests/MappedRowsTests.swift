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
            Self.wait("end of scrolling") { fixture.phases == [true, false] }
            fixture.close()
        }
    }

    func testNothingStaysBehindOnTheClockOfTheWindow() throws {
        try MainActor.assumeIsolated {
            let fixture = try ListFixture(IdentifierModel(count: 100) { $0 })
            Self.wait("first rows") { fixture.visible.first == 0 }
            let clock = try XCTUnwrap(gtk_widget_get_frame_clock(fixture.window))
            let signals = ["layout", "after-paint"]
            let before = signals.map { Self.handlerCount(of: $0, at: clock) }
            fixture.stop()
            XCTAssertEqual(signals.map { Self.handlerCount(of: $0, at: clock) }, before.map { $0 - 1 })
            fixture.close()
        }
    }

    private static func handlerCount(of signal: String, at clock: OpaquePointer) -> Int {
        let object = UnsafeMutableRawPointer(clock)
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
        return found.count
    }
}
