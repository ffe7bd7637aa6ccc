import Glibc
import PhotoPipeline

/// How far the tasks of a plan have come, together.
public struct PlanStatus: Sendable {
    /// The shards of the plan.
    public let shards: Int
    /// The rows of the plan.
    public let rows: Int
    /// Those shards that are committed, with a marker that can be read.
    public private(set) var committed = 0
    /// Tasks that have shards left, or damaged ones.
    public private(set) var unfinishedTasks: [Int] = []
    /// What is wrong with markers, a sentence each.
    public private(set) var damage: [String] = []
    /// Rows of committed shards that were written.
    public private(set) var written = 0
    /// Rows of committed shards that failed, by reason.
    public private(set) var failures: [String: Int] = [:]
    /// The bytes that were received for them.
    public private(set) var bytes = 0

    /// Whether nothing is missing and nothing is damaged, as far as markers say.
    public var isComplete: Bool { committed == shards && damage.isEmpty }

    /// Rows that failed.
    public var failed: Int { failures.values.reduce(0, +) }

    /// Looks at the markers in an output folder.
    ///
    /// - Throws: `planUnusable` where it is none of a plan.
    public init(of output: String) throws(DevelopmentError) {
        self.init(try PlanOutput(output)) { _ in }
    }

    /// - Parameter each: Told of each marker, in the shards' order.
    init(_ output: PlanOutput, each: (ShardMarker) -> Void) {
        (shards, rows) = (output.plan.shardCount, output.plan.rows)
        var first = 0
        for task in output.plan.taskRows.indices {
            var isUnfinished = false
            for shard in first..<first + output.plan.shardCount(ofTask: task) {
                do throws(FileError) {
                    if let marker = try output.readMarker(ofShard: shard) {
                        count(marker)
                        each(marker)
                    } else {
                        isUnfinished = true
                    }
                } catch {
                    isUnfinished = true
                    let reason = error.code == EBADMSG ? "it is damaged, or of another plan" : error.reason
                    damage.append("the marker \(output.marker(ofShard: shard)) cannot be used: \(reason)")
                }
            }
            first += output.plan.shardCount(ofTask: task)
            if isUnfinished { unfinishedTasks.append(task) }
        }
    }

    private mutating func count(_ marker: ShardMarker) {
        committed += 1
        written += marker.written
        bytes += marker.bytes
        failures.merge(marker.failures) { $0 + $1 }
    }

    /// Numbers as engines take them: `0,3-5`.
    public static func ranges(of numbers: [Int]) -> String {
        var ranges: [ClosedRange<Int>] = []
        for number in numbers {
            if let last = ranges.last, last.upperBound + 1 == number {
                ranges[ranges.count - 1] = last.lowerBound...number
            } else {
                ranges.append(number...number)
            }
        }
        return ranges.map { $0.count == 1 ? "\($0.lowerBound)" : "\($0.lowerBound)-\($0.upperBound)" }
            .joined(separator: ",")
    }
}
