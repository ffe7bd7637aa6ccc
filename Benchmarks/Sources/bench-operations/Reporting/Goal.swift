import Foundation

/// What the engine promises, and whether this run keeps it.
struct Goal: Codable {
    let title: String
    /// What was measured, in words.
    let measured: String
    let isMet: Bool

    /// Cost is called flat if it does no more than double over the sizes, which grow a hundred times and more; one that
    /// is proportional to the size would grow as they do. Memory that no longer fits the caches alone costs something.
    private static let flat = 2.0

    static func all(of measurements: [Measurement]) -> [Goal] {
        var goals: [Goal] = []

        /// The worst of a peer's ratios over the sizes of a shape that are meant.
        func compare(
            _ title: String, _ shape: String, _ peer: String, _ sizes: Sizes, isMet: (Double) -> Bool
        ) {
            let ratios = measurements.filter { $0.shape == shape && sizes.contains($0.size) }
                .compactMap { measurement in measurement.ratio(of: peer).map { (size: measurement.size, ratio: $0) } }
            guard let found = ratios.min(by: { $0.ratio < $1.ratio }) else { return }
            let measured = found.ratio >= 1 ? "\(times(found.ratio)) faster" : "\(times(1 / found.ratio)) slower"
            goals.append(
                Goal(
                    title: "\(shape): \(title)\(sizes.text)",
                    measured: "\(measured), at \(grouped(Double(found.size)))", isMet: isMet(found.ratio)))
        }
        func faster(_ factor: Double, than peer: String, _ shape: String, _ sizes: Sizes = .all) {
            let title = factor == 1 ? "faster than \(peer)" : "\(grouped(factor))× faster than \(peer)"
            compare(title, shape, peer, sizes) { $0 >= factor }
        }
        func within(_ factor: Double, of peer: String, _ shape: String, _ sizes: Sizes = .all) {
            let title = factor == 1 ? "no slower than \(peer)" : "at most \(times(factor)) \(peer)"
            compare(title, shape, peer, sizes) { 1 / $0 <= factor }
        }
        func isFlat(_ shape: String) {
            let own = measurements.filter { $0.shape == shape }
            guard let growth = own.isEmpty ? nil : Growth.all(of: own)[0] else { return }
            goals.append(
                Goal(
                    title: "\(shape): flat, at most \(times(flat)) an operation",
                    measured: "\(times(growth.factor)) from \(grouped(Double(growth.from)))"
                        + " to \(grouped(Double(growth.to)))", isMet: growth.factor <= flat))
        }
        func atMost(_ limit: Double, _ text: String, _ shape: any Shape, _ sizes: Sizes = .all) {
            let own = measurements.filter { $0.shape == shape.title && sizes.contains($0.size) }
            guard let value = own.compactMap({ $0.value(of: peers[0].name) }).max() else { return }
            goals.append(
                Goal(
                    title: "\(shape.title): at most \(text)\(sizes.text)", measured: shape.unit.text(value),
                    isMet: value <= limit))
        }

        for width in [1, 2] {
            let shape = IndependentWork(width: width)
            atMost(200, "200 ns", shape, .from(10_000))
            faster(15, than: "Foundation", shape.title, .one(1_000))
            faster(20, than: "Foundation", shape.title, .from(10_000))
            for peer in ["GCD", "oneTBB"] { faster(1, than: peer, shape.title, .from(10_000)) }
        }
        for shape in [Chain().title, Diamond().title] {
            faster(1_000, than: "Foundation", shape, .one(4_000))
            within(1.2, of: "oneTBB", shape, .one(1_000))
            for peer in ["GCD", "oneTBB"] { faster(1, than: peer, shape, .from(10_000)) }
            isFlat(shape)
        }
        for shape in [BesideBlocked().title, Reprioritising().title, CancellingAll().title] { isFlat(shape) }
        atMost(0.25, "0.25 s", BlockingWork())
        atMost(256, "256 bytes", ResidentMemory())
        within(1, of: "Task", Tasks(areTogether: true).title)
        // Each is alone.
        atMost(6_000, "6,000 ns", Tasks(areTogether: false))
        within(1.5, of: "Task", Places().title)
        return goals
    }

    /// The sizes of a shape that a goal is about.
    private enum Sizes {
        case all
        case one(Int)
        case from(Int)

        func contains(_ size: Int) -> Bool {
            switch self {
            case .all: true
            case .one(let only): size == only
            case .from(let least): size >= least
            }
        }

        var text: String {
            switch self {
            case .all: ""
            case .one(let only): ", at \(grouped(Double(only)))"
            case .from(let least): ", from \(grouped(Double(least))) on"
            }
        }
    }
}
