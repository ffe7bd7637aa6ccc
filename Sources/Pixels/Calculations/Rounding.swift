/// The ways of CSS's `round()`, and what else its math functions do to numbers that are infinite or none at all.
enum Rounding: String, CaseIterable {
    /// To the nearest; halves go up.
    case nearest
    case up
    case down
    case toZero = "to-zero"

    func round(_ value: Double, toMultipleOf step: Double) -> Double {
        let step = step.magnitude
        guard step > 0, value.isFinite || step.isFinite else { return .nan }
        guard value.isFinite else { return value }
        guard step.isFinite else { return roundToZeroOrInfinity(value) }
        let lower = (value / step).rounded(.down) * step
        let upper = (value / step).rounded(.up) * step
        switch self {
        case .nearest: return value - lower < upper - value ? lower : upper
        case .up: return upper
        case .down: return lower
        case .toZero: return lower.magnitude < upper.magnitude ? lower : upper
        }
    }

    /// The multiples of an infinite step are 0 and the infinities.
    private func roundToZeroOrInfinity(_ value: Double) -> Double {
        switch self {
        case .up where value > 0: .infinity
        case .down where value < 0: -.infinity
        default: value * 0
        }
    }

    /// What remains of a division, with the sign of the divisor.
    static func modulus(_ value: Double, _ divisor: Double) -> Double {
        let remainder = value.truncatingRemainder(dividingBy: divisor)
        guard remainder != 0, remainder.sign != divisor.sign else { return remainder }
        return divisor.isInfinite ? .nan : remainder + divisor
    }

    static func lesser(_ left: Double, _ right: Double) -> Double {
        left.isNaN || right.isNaN ? .nan : min(left, right)
    }

    static func greater(_ left: Double, _ right: Double) -> Double {
        left.isNaN || right.isNaN ? .nan : max(left, right)
    }

    /// -1, 1, or a zero or NaN as it is.
    static func sign(of value: Double) -> Double {
        value == 0 || value.isNaN ? value : value < 0 ? -1 : 1
    }

    /// How far a value is on the way between two others, from 0 to 1.
    static func progress(_ value: Double, from start: Double, to end: Double) -> Double {
        guard start != end else { return value > start ? 1 : 0 }
        let progress = (value - start) / (end - start)
        return progress.isNaN ? .nan : min(1, max(0, progress))
    }
}
