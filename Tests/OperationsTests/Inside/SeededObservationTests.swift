import Foundation
import Operations
import OperationsTesting
import XCTest

/// Those who look at a seed's order do not change it.
final class SeededObservationTests: XCTestCase {
    private enum Look: CaseIterable {
        case none, trace, observer
    }

    func testLookingOnChangesNoOrder() {
        for seed in 0..<50 as Range<UInt64> {
            let order = order(seed: seed, .none)
            for look in Look.allCases { XCTAssertEqual(self.order(seed: seed, look), order, "seed \(seed), \(look)") }
        }
    }

    private func order(seed: UInt64, _ look: Look) -> [String] {
        let (scheduler, recorder, told) = (SeededScheduler(seed: seed), Recorder(), Counter())
        let queues = [scheduler.makeQueue(), scheduler.makeQueue()]
        queues[0].maxConcurrentOperationCount = 2
        let trace = look == .trace ? OperationTrace(of: queues) : nil
        let tokens = look == .observer ? queues.map { $0.observe { _ in told.increase() } } : []
        for index in 0..<12 {
            let queue = queues[index % 2]
            let task = queue.addTask {
                recorder.note("\(index)")
                await Task.yield()
                recorder.note("\(index) again")
            }
            let block = block("after \(index)", recorder)
            if index % 3 == 0 { block.queuePriority = .high }
            block.addDependency(task)
            block.completionBlock = { recorder.note("\(index) completed") }
            queues[1 - index % 2].addOperation(block)
        }
        let steps = scheduler.run()
        trace?.stop()
        for token in tokens { token.invalidate() }
        // All has been told when there is nothing left to do.
        if look == .observer { XCTAssertEqual(told.value, 24 * 4, "seed \(seed)") }
        XCTAssertEqual(recorder.all.count, 48)
        return recorder.all + ["\(steps) steps"]
    }
}
