import OperationsTesting
import Pixels

extension FilterChain {
    static func random(length: ClosedRange<Int> = 1...6, using generator: inout SeededRandom) -> FilterChain {
        FilterChain((0..<Int.random(in: length, using: &generator)).map { _ in .random(using: &generator) })
    }
}

extension FilterFunction {
    /// A function of any kind, as it may stand in a text.
    static func randomOfAny(using generator: inout SeededRandom) -> FilterFunction {
        func length() -> Double { Double.random(in: -9...9, using: &generator) }
        switch Int.random(in: 0..<6, using: &generator) {
        case 0: return .blur(deviation: abs(length()))
        case 1: return .look(Look.allCases.randomElement(using: &generator) ?? .moon)
        case 2:
            let color = FilterColor(
                red: .random(in: 0...255, using: &generator), green: .random(in: 0...255, using: &generator),
                blue: .random(in: 0...255, using: &generator),
                alpha: Bool.random(using: &generator) ? 1 : .random(in: 0...1, using: &generator))
            return .dropShadow(x: length(), y: length(), deviation: abs(length()), color: color)
        default: return .random(using: &generator)
        }
    }

    /// A pointwise function.
    static func random(using generator: inout SeededRandom) -> FilterFunction {
        let fraction = Double.random(in: 0...1, using: &generator)
        let amount = Double.random(in: 0...3, using: &generator)
        switch Int.random(in: 0..<9, using: &generator) {
        case 0: return .sepia(fraction)
        case 1: return .grayscale(fraction)
        case 2: return .saturate(amount)
        case 3: return .hueRotate(degrees: Double.random(in: -720...720, using: &generator))
        case 4: return .brightness(amount)
        case 5: return .contrast(amount)
        case 6: return .invert(fraction)
        case 7: return .opacity(fraction)
        default: return .sepiaTone(fraction)
        }
    }
}
