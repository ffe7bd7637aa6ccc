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
}
