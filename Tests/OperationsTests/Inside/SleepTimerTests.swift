import Operations
import OperationsTesting
import Testing

@testable import OperationsCore

/// Sleeps of the continuous clock.
@Suite struct SleepTimerTests {
    /// Against a list that is sorted.
    @Test(arguments: 1...20 as ClosedRange<UInt64>)
    func whoSleepsIsWokenInOrder(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        let start = ContinuousClock.now
        var sleepers = Sleepers()
        var model: [Sleeper] = []
        for step in 0..<2_000 {
            switch Int.random(in: 0..<4, using: &random) {
            case 0, 1:
                // Some of them wake at the same moment.
                let sleeper = Sleeper(until: start + .milliseconds(Int.random(in: 0..<500, using: &random)))
                sleepers.insert(sleeper)
                model.append(sleeper)
            case 2 where !model.isEmpty:
                let gone = model.remove(at: Int.random(in: model.indices, using: &random))
                sleepers.remove(gone)
                sleepers.remove(gone)
            default:
                let now = start + .milliseconds(Int.random(in: 0..<500, using: &random))
                let due = model.filter { $0.end <= now }.map(\.end).sorted()
                let woken = sleepers.removeFirst(3, by: now)
                #expect(woken.map(\.end) == Array(due.prefix(3)), "seed \(seed), step \(step)")
                model.removeAll { sleeper in woken.contains { $0 === sleeper } }
            }
            #expect(sleepers.count == model.count, "seed \(seed), step \(step)")
            #expect(sleepers.firstEnd == model.map(\.end).min(), "seed \(seed), step \(step)")
        }
        let rest = sleepers.removeFirst(.max, by: start + .seconds(1))
        #expect(rest.map(\.end) == model.map(\.end).sorted())
    }

    /// Some sleeps are over before their tasks are suspended, which Thread Sanitizer took for races.
    @Test func sleepsThatAreOverAtOnce() async throws {
        let timer = SleepTimer()
        try await withThrowingTaskGroup { group in
            for first in 0..<4 {
                group.addTask {
                    for number in 0..<2_000 {
                        try await timer.sleep(until: .now + .microseconds((first + number) % 200))
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(timer.sleeperCount == 0)
    }

    /// In any order of coming, while others are cancelled.
    @Test(arguments: 1...5 as ClosedRange<UInt64>) func nobodyWakesTooSoon(seed: UInt64) async {
        var random = SeededRandom(seed: seed)
        let timer = SleepTimer()
        let durations = (0..<300).map { _ in Duration.microseconds(Int.random(in: 1..<30_000, using: &random)) }
        await withTaskGroup { group in
            for (number, duration) in durations.shuffled(using: &random).enumerated() {
                group.addTask {
                    let end = ContinuousClock.now + duration
                    let isCancelled = number % 3 == 0
                    let sleeping = Task { try await timer.sleep(until: isCancelled ? end + .seconds(3_600) : end) }
                    if isCancelled { sleeping.cancel() }
                    switch await sleeping.result {
                    case .success:
                        #expect(!isCancelled, "seed \(seed)")
                        #expect(.now >= end, "seed \(seed)")
                    case .failure(let error): #expect(isCancelled && error is CancellationError, "seed \(seed)")
                    }
                }
            }
        }
        #expect(timer.sleeperCount == 0)
    }

    @Test func oneWhoSleepsForACenturyHoldsUpNobody() async throws {
        let timer = SleepTimer()
        let century = Task { try await timer.sleep(until: .now + ContinuousClock.longestPause) }
        while timer.sleeperCount < 1 { await Task.yield() }
        try await timer.sleep(until: .now + .milliseconds(2))
        #expect(timer.sleeperCount == 1)
        century.cancel()
        #expect(await century.result.isCancelled)
        #expect(timer.sleeperCount == 0)
        try await timer.sleep(until: .now + .milliseconds(2))
    }

    /// Before it sleeps at all.
    @Test func aTaskThatWasCancelledDoesNotSleep() async {
        let timer = SleepTimer()
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            try await timer.sleep(until: .now + .seconds(3_600))
        }
        #expect(await task.result.isCancelled)
        #expect(timer.sleeperCount == 0)
    }
}

extension Result {
    fileprivate var isCancelled: Bool {
        if case .failure(let error) = self { error is CancellationError } else { false }
    }
}
