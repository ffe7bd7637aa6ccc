import OperationsTesting
import Pixels

extension FilterChain {
    static func random(length: ClosedRange<Int> = 1...6, using generator: inout SeededRandom) -> FilterChain {
        FilterChain((0..<Int.random(in: length, using: &generator)).map { _ in .random(using: &generator) })
    }
}

extension FilterFunction {
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
