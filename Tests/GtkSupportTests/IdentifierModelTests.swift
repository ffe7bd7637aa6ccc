import CGtk
import GtkSupport
import XCTest

final class IdentifierModelTests: GtkTestCase {
    func testAMillionRowsCostNothingUntilTheyAreAskedFor() {
        MainActor.assumeIsolated {
            var asked = 0
            let model = IdentifierModel(count: 1_000_000) { row in
                asked += 1
                return row * 3
            }
            XCTAssertEqual(g_list_model_get_n_items(model.pointer), 1_000_000)
            XCTAssertEqual(asked, 0)
            XCTAssertEqual(Self.identifier(in: model, at: 999_999), 2_999_997)
            XCTAssertEqual(asked, 1)
            XCTAssertNil(Self.identifier(in: model, at: 1_000_000))
        }
    }

    func testAListViewAsksForTheRowsThatItShows() throws {
        try MainActor.assumeIsolated {
            var asked = 0
            let model = IdentifierModel(count: 1_000_000) { row in
                asked += 1
                return row
            }
            let fixture = try ListFixture(model)
            Self.wait("rows") { fixture.bound.count >= 10 }
            XCTAssertLessThan(fixture.bound.count, 1_000)
            XCTAssertLessThan(asked, 5_000)
            fixture.close()
        }
    }

    func testReplacedRowsAreTold() {
        MainActor.assumeIsolated {
            let model = IdentifierModel(count: 2) { $0 }
            var told: [[UInt32]] = []
            connect(model.pointer, "items-changed") { (position: UInt32, removed: UInt32, added: UInt32) in
                told.append([position, removed, added])
            }
            model.replace(count: 3) { 30 - $0 }
            XCTAssertEqual(told, [[0, 2, 3]])
            XCTAssertEqual(Self.identifier(in: model, at: 2), 28)
        }
    }

    func testAViewMayKeepTheModelForLonger() {
        MainActor.assumeIsolated {
            var model: IdentifierModel? = IdentifierModel(count: 2) { $0 }
            let kept = model.map { ObjectReference($0.pointer) }
            model = nil
            XCTAssertNil(model)
            XCTAssertEqual(g_list_model_get_n_items(kept?.pointer), 2)
        }
    }

    @MainActor private static func identifier(in model: IdentifierModel, at row: UInt32) -> Int? {
        guard let item = g_list_model_get_item(model.pointer, row) else { return nil }
        defer { g_object_unref(item) }
        return IdentifierModel.identifier(of: OpaquePointer(item))
    }
}
