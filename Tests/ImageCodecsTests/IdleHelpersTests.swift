import XCTest

@testable import ImageCodecs

/// Which of the helpers that wait is taken, and which of them end.
final class IdleHelpersTests: XCTestCase {
    private let start = ContinuousClock.now

    /// However busy the others are.
    func testEachHasWaitedForATimeOfItsOwn() {
        var idle = IdleHelpers<String, Int>()
        XCTAssertNil(idle.oldest)
        idle.put("unneeded", in: 0, having: nil, at: start)
        idle.put("busy", in: 0, having: nil, at: start)
        for second in 1...40 {
            XCTAssertEqual(idle.take(in: 0, for: nil, most: 2), "busy")
            idle.put("busy", in: 0, having: nil, at: start + .seconds(second))
        }
        XCTAssertEqual(idle.oldest, start)
        XCTAssertEqual(idle.removeAll(since: start - .seconds(1)) { _ in false }, [])
        XCTAssertEqual(idle.removeAll(since: start + .seconds(10)) { _ in false }, ["unneeded"])
        XCTAssertEqual(idle.oldest, start + .seconds(40))
        XCTAssertEqual(idle.removeAll(since: start) { $0 == "busy" }, ["busy"], "it is dead")
        XCTAssertNil(idle.oldest)
    }

    func testAnAnimationKeepsItsHelper() {
        var idle = IdleHelpers<String, Int>()
        idle.put("other room", in: 1, having: nil, at: start)
        idle.put("seven", in: 0, having: 7, at: start)
        idle.put("eight", in: 0, having: 8, at: start)
        XCTAssertEqual(idle.take(in: 0, for: 7, most: 2), "seven")
        idle.put("seven", in: 0, having: 7, at: start)
        // There is room for one more: none is closed for a picture, or for a third animation.
        XCTAssertNil(idle.take(in: 0, for: nil, most: 3))
        XCTAssertNil(idle.take(in: 0, for: 9, most: 3))
        idle.put("free", in: 0, having: nil, at: start)
        XCTAssertEqual(idle.take(in: 0, for: nil, most: 3), "free")
        // There is none: that which was not asked for longest.
        XCTAssertEqual(idle.take(in: 0, for: nil, most: 2), "eight")
        XCTAssertEqual(idle.take(in: 0, for: 9, most: 1), "seven")
        XCTAssertNil(idle.take(in: 0, for: nil, most: 0))
        XCTAssertEqual(idle.take(in: 1, for: nil, most: 1), "other room")
    }
}
