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

        /// The worst of a peer's ratios over the sizes of a shape.
        func compare(
            _ title: String, _ shape: String, _ peer: String, at size: Int? = nil, isMet: (Double) -> Bool,
            worst: ((Double, Double) -> Bool)
        ) {
            let ratios = measurements.filter { $0.shape == shape && (size == nil || $0.size == size) }
                .compactMap { measurement in measurement.ratio(of: peer).map { (size: measurement.size, ratio: $0) } }
            guard let found = ratios.min(by: { worst($0.ratio, $1.ratio) }) else { return }
            let measured = found.ratio >= 1 ? "\(times(found.ratio)) faster" : "\(times(1 / found.ratio)) slower"
            goals.append(
                Goal(
                    title: "\(shape): \(title)", measured: "\(measured), at \(grouped(Double(found.size)))",
                    isMet: isMet(found.ratio)))
        }
        func faster(_ factor: Double, than peer: String, _ shape: String, at size: Int? = nil) {
            let title = factor == 1 ? "faster than \(peer)" : "\(grouped(factor))× faster than \(peer)"
            compare(title, shape, peer, at: size, isMet: { $0 >= factor }, worst: <)
        }
        func within(_ factor: Double, of peer: String, _ shape: String) {
            let title = factor == 1 ? "no slower than \(peer)" : "at most \(times(factor)) \(peer)"
            compare(title, shape, peer, isMet: { 1 / $0 <= factor }, worst: <)
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
        func atMost(_ limit: Double, _ text: String, _ shape: any Shape) {
            guard let value = measurements.first(where: { $0.shape == shape.title })?.value(of: peers[0].name) else {
                return
            }
            goals.append(
                Goal(title: "\(shape.title): at most \(text)", measured: shape.unit.text(value), isMet: value <= limit))
        }

        for width in [1, 2] {
            let shape = IndependentWork(width: width).title
            faster(15, than: "Foundation", shape)
            faster(1, than: "GCD", shape)
            within(1.5, of: "oneTBB", shape)
        }
        for shape in [Chain().title, Diamond().title] {
            faster(1_000, than: "Foundation", shape, at: 4_000)
            within(1.5, of: "oneTBB", shape)
            isFlat(shape)
        }
        for shape in [BesideBlocked().title, Reprioritising().title, CancellingAll().title] { isFlat(shape) }
        atMost(0.25, "0.25 s", BlockingWork())
        atMost(256, "256 bytes", ResidentMemory())
        for areTogether in [true, false] { within(1, of: "Task", Tasks(areTogether: areTogether).title) }
        return goals
    }
}
