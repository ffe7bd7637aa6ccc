import Foundation
import PhotoPipeline
import XCTest

@testable import PhotoApp

/// Looks of single photos without a window: what is taken back, and what other windows take over.
final class LooksWithoutWindowTests: GtkTestCase {
    /// Two windows, of which one has opened the catalog when there was less in it.
    func testAnotherWindowTakesOverWhatHasChanged() throws {
        try MainActor.assumeIsolated {
            let name = "/\(UUID())"
            @MainActor func open(_ names: [String]) throws -> OwnLooks {
                let lines = names.map { "\($0),http://127.0.0.1/\($0)\n" }.joined()
                let catalog = try Catalog(parsing: Data(("name,url\n" + lines).utf8), origin: .file(path: name))
                var looks: OwnLooks?
                Task { looks = await OwnLooks.of(catalog, named: name) }
                Self.wait("the looks") { looks != nil }
                return try XCTUnwrap(looks)
            }
            let (first, second, other) = (try open(["a", "b"]), try open(["new", "b", "a"]), OwnLooks())
            var changes = 0
            second.onChange = { changes += 1 }
            second.set(.original, for: [Photo.ID(0)])
            first.set(.classic, for: [Photo.ID(1), Photo.ID(0)])
            first.set(nil, for: [Photo.ID(0)])
            first.keep()
            Self.wait("the change") { changes == 1 }
            XCTAssertEqual(second.looks[Photo.ID(1)], .classic)
            XCTAssertNil(second.looks[Photo.ID(2)])
            XCTAssertEqual(second.looks[Photo.ID(0)], .original, "what was changed here stays")
            XCTAssertTrue(other.looks.isEmpty)
            // What the other one has changed is its own to take back.
            XCTAssertNil(second.undo(with: .original))
            XCTAssertNil(second.looks[Photo.ID(0)])
            XCTAssertEqual(second.looks[Photo.ID(1)], .classic)
            XCTAssertNil(second.redo(with: .original))
            XCTAssertEqual(second.looks[Photo.ID(0)], .original)
            XCTAssertEqual(second.looks[Photo.ID(1)], .classic)
            first.removeAll()
            first.keep()
            Self.wait("the end of the look") { second.looks[Photo.ID(1)] == nil }
        }
    }

    func testWhatIsChosenInOneGoIsTakenBackAtOnce() {
        MainActor.assumeIsolated {
            let own = OwnLooks()
            own.set(.classic, for: [Photo.ID(3)])
            XCTAssertTrue(own.endChange())
            XCTAssertFalse(own.endChange(), "nothing has changed since")
            for intensity in [0.2, 0.4, 0.6] {
                own.set(ChosenLook(identifier: "original", intensity: intensity), for: [Photo.ID(3), Photo.ID(4)])
            }
            XCTAssertNil(own.undo(with: .original), "the look of all has not changed")
            XCTAssertEqual(own.looks[Photo.ID(3)], .classic)
            XCTAssertNil(own.looks[Photo.ID(4)])
            XCTAssertNil(own.redo(with: .original))
            XCTAssertEqual(own.looks[Photo.ID(4)]?.intensity, 0.6)
        }
    }

    func testChangesAreTakenBackOneAfterTheOtherAndMadeAgain() {
        MainActor.assumeIsolated {
            let own = OwnLooks()
            @MainActor func change(_ intensity: Double) {
                own.set(ChosenLook(identifier: "original", intensity: intensity), for: [Photo.ID(0)])
                own.endChange()
            }
            @MainActor func intensity() -> Double? { own.looks[Photo.ID(0)]?.intensity }
            XCTAssertFalse(own.canUndo || own.canRedo)
            for number in 1...3 { change(Double(number) / 10) }
            for expected in [0.2, 0.1, nil] {
                XCTAssertNil(own.undo(with: .original))
                XCTAssertEqual(intensity(), expected)
            }
            XCTAssertFalse(own.canUndo)
            for expected in [0.1, 0.2] {
                XCTAssertNil(own.redo(with: .original))
                XCTAssertEqual(intensity(), expected)
            }
            XCTAssertTrue(own.canRedo)
            change(0.9)
            XCTAssertFalse(own.canRedo, "something else has changed since")
            XCTAssertNil(own.redo(with: .original))
            XCTAssertNil(own.undo(with: .original))
            XCTAssertEqual(intensity(), 0.2)
            // There is an end to what is remembered.
            for _ in 0..<60 { change(0.5) }
            var count = 0
            while own.canUndo {
                _ = own.undo(with: .original)
                count += 1
            }
            XCTAssertEqual(count, 50)
        }
    }

    func testTheLookOfAllIsTakenBackBeforeOlderLooksOfPhotos() {
        MainActor.assumeIsolated {
            let own = OwnLooks()
            own.set(.classic, for: [Photo.ID(3)])
            XCTAssertTrue(own.endChange())
            own.noteChange(ofUsual: .original)
            own.noteChange(ofUsual: ChosenLook(identifier: "original", intensity: 0.5))
            XCTAssertFalse(own.endChange(), "no photo has another look of its own")
            XCTAssertEqual(own.undo(with: .classic), .original)
            XCTAssertEqual(own.looks[Photo.ID(3)], .classic)
            XCTAssertEqual(own.redo(with: .original), .classic)
            // Both in one go.
            own.noteChange(ofUsual: .classic)
            own.set(.original, for: [Photo.ID(3)])
            XCTAssertTrue(own.endChange())
            XCTAssertEqual(own.undo(with: .original), .classic)
            XCTAssertEqual(own.looks[Photo.ID(3)], .classic)
        }
    }
}
