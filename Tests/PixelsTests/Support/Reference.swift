import Foundation
import Pixels

/// The filters as the specification writes them, in double precision and without any short cut.
enum Reference {
    /// The result before rounding, channels in 0...255.
    static func apply(_ functions: [FilterFunction], to pixel: [UInt8]) -> [Double] {
        var color = pixel[0..<3].map { Double($0) / 255 }
        var alpha = Double(pixel[3]) / 255
        for function in functions {
            if case .opacity(let amount) = function { alpha *= amount }
            color = applied(function, to: color).map { min(1, max(0, $0)) }
        }
        return (color + [alpha]).map { $0 * 255 }
    }

    private static func applied(_ function: FilterFunction, to color: [Double]) -> [Double] {
        switch function {
        case .opacity, .blur, .dropShadow, .look: return color
        case .brightness(let a): return color.map { $0 * a }
        case .contrast(let a): return color.map { $0 * a + 0.5 - 0.5 * a }
        case .invert(let a): return color.map { $0 * (1 - 2 * a) + a }
        case .sepia(let a):
            let b = 1 - a
            return product(
                [
                    [0.393 + 0.607 * b, 0.769 - 0.769 * b, 0.189 - 0.189 * b],
                    [0.349 - 0.349 * b, 0.686 + 0.314 * b, 0.168 - 0.168 * b],
                    [0.272 - 0.272 * b, 0.534 - 0.534 * b, 0.131 + 0.869 * b],
                ], color)
        case .grayscale(let a): return towardsGray([0.2126, 0.7152, 0.0722], keeping: 1 - a, color)
        case .saturate(let a): return towardsGray([0.213, 0.715, 0.072], keeping: a, color)
        case .hueRotate(let degrees):
            let cosine = cos(degrees * .pi / 180)
            let sine = sin(degrees * .pi / 180)
            let weights = [0.213, 0.715, 0.072]
            let turn = product(
                [[-0.213, -0.715, 0.928], [0.143, 0.140, -0.283], [-0.787, 0.715, 0.072]], color)
            return zip(towardsGray(weights, keeping: cosine, color), turn).map { $0 + $1 * sine }
        case .sepiaTone(let a):
            let linear = color.map(decoded)
            let y = encoded(0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2])
            let tone = [
                -0.5617 * pow(y, 4) + 1.565 * pow(y, 3) - 1.6821 * y * y + 1.668 * y + 0.0114,
                -0.0483 * pow(y, 4) - 0.0162 * pow(y, 3) + 0.2304 * y * y + 0.83 * y - 0.0002,
                0.3685 * pow(y, 4) - 1.0224 * pow(y, 3) + 1.8376 * y * y - 0.2176 * y - 0.0001,
            ]
            return zip(linear, tone).map { encoded((1 - a) * $0 + a * decoded(min(1, max(0, $1)))) }
        }
    }

    private static func product(_ rows: [[Double]], _ color: [Double]) -> [Double] {
        rows.map { row in zip(row, color).reduce(0) { $0 + $1.0 * $1.1 } }
    }

    private static func towardsGray(_ weights: [Double], keeping share: Double, _ color: [Double]) -> [Double] {
        let gray = zip(weights, color).reduce(0) { $0 + $1.0 * $1.1 }
        return color.map { gray + share * ($0 - gray) }
    }

    private static func decoded(_ v: Double) -> Double {
        v <= 0.04045 ? v / 12.92 : pow((v + 0.055) / 1.055, 2.4)
    }

    private static func encoded(_ x: Double) -> Double {
        x <= 0.0031308 ? x * 12.92 : 1.055 * pow(x, 1 / 2.4) - 0.055
    }
}
