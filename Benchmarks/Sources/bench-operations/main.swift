import Foundation
import Operations

// Prints ours beside Foundation's queue and GCD, and writes build/bench/operations.json.
// `--quick` leaves out the largest sizes.
let isQuick = CommandLine.arguments.contains("--quick")
let ours = OurEngine()
let all: [any Engine] = [ours, FoundationEngine(), DispatchEngine()]
var shapes: [Shape] = []
for width in [1, 2] {
    for count in [1_000, 10_000, 100_000] {
        shapes.append(
            Shape(
                name: "independent, width \(width)", count: count, rounds: count > 10_000 ? 3 : 7,
                engines: count > 10_000 ? [ours, DispatchEngine()] : all,
                run: { $0.independent(count, width: width) }))
    }
}
for count in isQuick ? [1_000, 10_000, 100_000] : [1_000, 4_000, 10_000, 100_000, 1_000_000] {
    shapes.append(
        Shape(
            name: "chain", count: count, rounds: count <= 1_000 ? 5 : 3,
            engines: count <= 4_000 ? all : [ours], run: { $0.chain(count) }))
}
shapes.append(
    Shape(
        name: "64 blocking 0.1 s, width 32", count: 64, rounds: 3,
        engines: isQuick ? [ours] : [ours, DispatchEngine()],
        run: { $0.blockers(64, width: 32, microseconds: 100_000) }))

func column(_ text: String, _ width: Int) -> String {
    String(repeating: " ", count: max(0, width - text.count)) + text
}

/// Bytes that a queued block operation keeps resident; measured first, while the heap is still small.
func bytesPerQueuedOperation(_ count: Int) -> Int {
    let queue = OperationQueue()
    queue.isSuspended = true
    let before = residentBytes()
    for _ in 0..<count { queue.addOperation(BlockOperation {}) }
    let bytes = (residentBytes() - before) / count
    queue.cancelAllOperations()
    queue.isSuspended = false
    queue.waitUntilAllOperationsAreFinished()
    return bytes
}

let bytes = bytesPerQueuedOperation(200_000)
var measurements: [Measurement] = []
print("shape                              count  engine      ns each     ours is")
for shape in shapes {
    let results = shape.measure()
    measurements += results
    for result in results {
        let ratio = result.seconds / results[0].seconds
        print(
            shape.name.padding(toLength: 30, withPad: " ", startingAt: 0), column("\(shape.count)", 9),
            "", result.engine.padding(toLength: 10, withPad: " ", startingAt: 0),
            column(String(format: "%.0f", result.nanosecondsEach), 9),
            result.engine == ours.name ? "" : column(String(format: "%.1fx faster", ratio), 16))
    }
}
let chain = measurements.filter { $0.shape == "chain" && $0.engine == ours.name }
if let first = chain.first, let last = chain.last {
    let growth = last.nanosecondsEach / first.nanosecondsEach
    print(String(format: "chain, growth per operation from %d to %d: %.2f", first.count, last.count, growth))
}
print("resident bytes per queued block operation: \(bytes)")

struct Report: Codable {
    let bytesPerQueuedOperation: Int
    let measurements: [Measurement]
}
let folder = URL(fileURLWithPath: "build/bench")
try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
let encoder = JSONEncoder()
encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
try encoder.encode(Report(bytesPerQueuedOperation: bytes, measurements: measurements))
    .write(to: folder.appendingPathComponent("operations.json"))
