import Operations
import PhotoPipeline
import XCTest

@testable import PhotoDevelopment

/// What a writer has told.
final class ToldOfRows: Sendable {
    struct State {
        var durable: [Int] = []
        var lost: [Int] = []
        var failures: [PhotoError] = []
        var isHeldBack: [Bool] = []
        var batches: [Int] = []
    }

    let state = Lock(State())

    func listen(to writer: JournalWriter, whenEnded: @escaping @Sendable () -> Void = {}) {
        writer.listen(
            JournalWriter.Listener(
                whenEnded: { [state] entries, areDurable in
                    // Whoever hears that the last row has ended may end the program.
                    XCTAssertEqual(entries.count { $0.result.fileCount > 0 }, 0)
                    state.withLock { state in
                        let numbers = entries.map(\.number)
                        if areDurable { state.durable += numbers } else { state.lost += numbers }
                        state.batches.append(numbers.count)
                    }
                    whenEnded()
                },
                whenFailed: { [state] error in state.withLock { $0.failures.append(error) } },
                holdBack: { [state] isHeldBack in state.withLock { $0.isHeldBack.append(isHeldBack) } }))
    }

    func wait(_ isMet: (State) -> Bool) async throws {
        let end = ContinuousClock.now + .seconds(60)
        while !state.withLock({ isMet($0) }) {
            guard ContinuousClock.now < end else { return XCTFail("\(state.withLock { $0 })") }
            try await Task.sleep(for: .milliseconds(2))
        }
    }
}
