import BenchSupport
import COneTBB
import Foundation

/// Measures the engine beside what others run the same work with.
///
/// Prints a table for each shape of work and whether the engine keeps its promises, and writes
/// build/bench/operations.json. `--quick` is a smoke test: small sizes, few rounds, operations-quick.json.
@main
struct BenchOperations {
    static func main() throws {
        let arguments = CommandLine.arguments.dropFirst()
        if arguments.first == Child.flag {
            let child = try JSONDecoder().decode(Child.self, from: Data(arguments.dropFirst().joined().utf8))
            try FileHandle.standardOutput.write(contentsOf: JSONEncoder().encode(child.measure()))
        } else if let unknown = arguments.first(where: { $0 != "--quick" }) {
            print("bench-operations: unknown argument '\(unknown)'; there is: --quick")
            exit(2)
        } else {
            try run(isQuick: !arguments.isEmpty)
        }
    }

    private static func run(isQuick: Bool) throws {
        let start = ContinuousClock.now
        let timeBefore = ProcessorTime()
        let machine = Machine()
        let schedule = Schedule(isQuick: isQuick)
        print(
            """
            \(machine.processor), \(machine.cores) cores, \(machine.system), \(machine.swift), \
            oneTBB \(String(cString: onetbb_version()))
            Medians of \(schedule.fewestRounds) to \(schedule.rounds) rounds, in which the peers take turns; in \
            brackets how many times ours. "First round" is one in a process of its own.
            """)
        var measurements: [Measurement] = []
        for (index, shape) in shapes.enumerated() {
            let sizes = isQuick ? shape.quickSizes : shape.sizes
            let taken = try sizes.map { try Measurement.take(shape: index, size: $0, isQuick: isQuick) }
            print("\n" + ShapeReport(shape: shape, measurements: taken).text)
            // A pipe gets each table when it is there, not all at the end.
            fflush(nil)
            measurements += taken
        }
        let goals = Goal.all(of: measurements)
        var table = Table(["goal", "measured", ""])
        for goal in goals { table.add([goal.title, goal.measured, goal.isMet ? "met" : "missed"]) }
        print("\n" + table.text)
        let report = Report(
            date: Date(), isQuick: isQuick, machine: machine, seconds: (.now - start) / .seconds(1),
            shareOfOthers: ProcessorTime().shareOfOthers(since: timeBefore), measurements: measurements,
            growth: growth(of: measurements), goals: goals)
        // A smoke test must not take the place of figures.
        let path = try writeReport(report, as: isQuick ? "operations-quick" : "operations")
        print("\n\(grouped(report.seconds)) s; all rounds are in \(path)")
        if let share = report.shareOfOthers, share > 0.05 {
            print("Others had \(grouped(share * 100)) % of the processors meanwhile: measure again on a quiet machine.")
        }
    }

    private static func growth(of measurements: [Measurement]) -> [Growth] {
        shapes.flatMap { shape in
            let own = measurements.filter { $0.shape == shape.title }
            return own.isEmpty ? [] : Growth.all(of: own).compactMap { $0 }
        }
    }
}
