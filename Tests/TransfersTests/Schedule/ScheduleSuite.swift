import Testing

@testable import Transfers

/// What tests of the schedule have in common.
protocol ScheduleSuite {}

extension ScheduleSuite {
    typealias Schedule = TransferSchedule<String, Int>

    /// What starts now, in order.
    func starts(_ schedule: inout Schedule, at now: Duration = .zero) -> [(item: Int, turn: Schedule.Turn)] {
        var starts: [(Int, Schedule.Turn)] = []
        while let step = schedule.next(at: now) {
            switch step {
            case .start(let item, let turn): starts.append((item, turn))
            case .refuse(let item, let reason): Issue.record("\(item) is refused: \(reason)")
            }
        }
        return starts
    }

    func add(_ items: [Int], for host: String, to schedule: inout Schedule, at now: Duration = .zero) {
        for item in items { schedule.add(item, for: host, patience: .seconds(60), at: now) }
    }
}
