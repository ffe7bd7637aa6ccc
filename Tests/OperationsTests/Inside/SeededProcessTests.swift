import Operations
import OperationsTesting
import Testing

/// The same seed is the same order in every process, though sets have another one in each.
@Suite struct SeededProcessTests {
    @Test func withSeveralKeys() async throws {
        var orders: Set<[UInt8]> = []
        for _ in 0..<4 {
            let result = await #expect(processExitsWith: .success, observing: [\.standardOutputContent]) {
                let (scheduler, recorder) = (SeededScheduler(seed: 3), Recorder())
                let queues = (0..<3).map { _ in scheduler.makeQueue() }
                for index in 0..<60 {
                    let operation = TaskOperation {
                        recorder.note("\(index)")
                        // It has its keys for some steps.
                        for _ in 0..<3 { await Task.yield() }
                    }
                    let keys = [index % 2, 2 + index % 3, 5 + index % 5, 10 + index % 7]
                    operation.exclusionKeys = Set(keys.map { ExclusionKey("key \($0)") })
                    queues[index % 3].addOperation(operation)
                }
                scheduler.run()
                print("order: \(recorder.all.joined(separator: " "))")
            }
            let lines = try #require(result).standardOutputContent.split(separator: 0x0A).map { Array($0) }
            let order = try #require(lines.first { $0.starts(with: Array("order: ".utf8)) })
            #expect(order.split(separator: 0x20).count == 61)
            orders.insert(order)
        }
        #expect(orders.count == 1)
    }
}
