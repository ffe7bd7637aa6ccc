import Operations
import XCTest

@testable import PhotoPipeline

/// Decodings that wait for memory.
final class ReservationTests: XCTestCase {
    /// Two decodings of one body to one size: one that is given up, and the one for whoever asks again meanwhile.
    func testOneThatIsGivenUpTakesNobodysTurn() {
        let gate = MemoryGate(limit: 100)
        let (eldest, memory) = (PhotoMemory(gate: gate), PhotoMemory(gate: gate))
        for each in [eldest, memory] { each.retain() }
        XCTAssertTrue(eldest.request(100, for: .body) {})
        let reservations = (0..<2).map { _ in
            ReservationOperation(memory: memory, part: memory.makePart()) { 50 }
        }
        for reservation in reservations { reservation.start() }
        reservations[1].cancel()
        XCTAssertEqual(reservations.map(\.isFinished), [false, true])
        eldest.release()
        XCTAssertTrue(reservations[0].isFinished)
        XCTAssertEqual(gate.held, 50)
        memory.release()
        XCTAssertEqual(gate.held, 0)
    }
}
