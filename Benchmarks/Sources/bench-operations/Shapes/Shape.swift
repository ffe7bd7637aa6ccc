import Foundation

/// What a peer's limits and the report call a shape by.
enum ShapeKind: String, Codable, Sendable {
    case independent, chain, diamond, besideBlocked, reprioritise, cancelAll, blocking, tasksTogether, tasksOneByOne
    case places, resident
}

/// What a shape's figures are.
enum Unit: String, Codable, Sendable {
    case nanosecondsEach = "ns an operation"
    case seconds = "seconds in all"
    case bytesEach = "bytes an operation"

    func text(_ value: Double) -> String {
        switch self {
        case .nanosecondsEach, .bytesEach: grouped(value)
        case .seconds: String(format: "%.2f", value)
        }
    }
}

/// A shape of work, at the sizes that it is measured at.
protocol Shape: Sendable {
    var kind: ShapeKind { get }
    /// Tells it from all others.
    var title: String { get }
    /// What a size counts.
    var sizeTitle: String { get }
    var sizes: [Int] { get }
    /// The sizes of a smoke test.
    var quickSizes: [Int] { get }
    var unit: Unit { get }

    /// Whether each round needs a process of its own, since it is memory that is measured and not time.
    var isMeasuredColdOnly: Bool { get }

    /// One round at a size, or nil where the peer cannot do it; the result is in the shape's unit.
    func round(of peer: any Peer, size: Int) -> (() -> Double)?
}

extension Shape {
    var sizeTitle: String { "operations" }
    var unit: Unit { .nanosecondsEach }
    var isMeasuredColdOnly: Bool { false }

    /// Why a peer takes no part at a size, or nil if it does.
    func absence(of peer: any Peer, size: Int) -> String? {
        if let limit = peer.limits[kind], size > limit.size { return limit.reason }
        return round(of: peer, size: size) == nil ? Measurement.notAsked : nil
    }
}

/// Every shape, in the order of the report.
let shapes: [any Shape] = [
    IndependentWork(width: 1), IndependentWork(width: 2), Chain(), Diamond(), BesideBlocked(), Reprioritising(),
    CancellingAll(), BlockingWork(), Tasks(areTogether: true), Tasks(areTogether: false), Places(),
    ResidentMemory(),
]
