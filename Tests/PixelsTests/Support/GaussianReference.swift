import Foundation
import Pixels

extension PixelBuffer {
    /// The picture blurred by a true Gaussian in double precision: transparent outside, not separated, not cut.
    func gaussianBlurred(deviation: Double) -> PixelBuffer {
        let source = pixels
        let (width, height) = (size.width, size.height)
        func weights(_ center: Int, _ count: Int) -> [Double] {
            (0..<count).map { near in
                let distance = Double(near - center)
                return exp(-distance * distance / (2 * deviation * deviation))
            }
        }
        let total = weights(100, 201).reduce(0, +)
        var result: [[UInt8]] = []
        for y in 0..<height {
            let rows = weights(y, height)
            for x in 0..<width {
                let columns = weights(x, width)
                var sums = [0.0, 0, 0, 0]
                for row in 0..<height where rows[row] > 1e-9 {
                    for column in 0..<width where columns[column] > 1e-9 {
                        let pixel = source[row * width + column]
                        let share = rows[row] * columns[column] * Double(pixel[3]) / 255 / (total * total)
                        for channel in 0..<3 { sums[channel] += share * Double(pixel[channel]) }
                        sums[3] += share
                    }
                }
                let color = sums[0..<3].map { sums[3] > 0 ? UInt8(min(255, ($0 / sums[3]).rounded())) : 0 }
                result.append(color + [UInt8((sums[3] * 255).rounded())])
            }
        }
        return PixelBuffer(width: width, pixels: result)
    }
}
