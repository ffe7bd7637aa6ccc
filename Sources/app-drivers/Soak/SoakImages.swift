import Dispatch
import FoundationEssentials
import ImageCodecs
import OperationsCore
import PhotoPipeline

/// Photos that say which they are: their number stands in their pixels, in a way that outlives every look.
///
/// A bit is two fields side by side, the brighter one of which says what it is, so that neither a gradient nor a change of
/// all colours can turn it. Four of the sixteen bits are a check of the others.
nonisolated enum SoakImages {
    /// How many photos there are, which names and addresses number from 0 on.
    static let count = 2_000

    private static let columns = 8
    private static let rows = 4
    private static let small = PixelSize(width: 240, height: 180)
    private static let large = PixelSize(width: 1_200, height: 900)

    /// The middles of all fields, as parts of the width and the height.
    static let middles: [(x: Double, y: Double)] = (0..<rows * columns).map { field in
        let (row, column) = field.quotientAndRemainder(dividingBy: columns)
        return (x: (Double(column) + 0.5) / Double(columns), y: (Double(row) + 0.5) / Double(rows))
    }

    /// Whether a photo arrives without loss.
    static func isExact(_ number: Int) -> Bool { !number.isMultiple(of: 20) }

    /// What its file is called.
    static func fileName(_ number: Int) -> String { "\(number)." + (isExact(number) ? "png" : "jpg") }

    /// Writes all photos into a folder, and one file that is none; those that are there already are left as they are.
    static func write(to folder: String) throws {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try Data("This is not a picture.".utf8).write(to: URL(filePath: folder + "/none.txt"))
        let failure = Lock<(any Error)?>(nil)
        DispatchQueue.concurrentPerform(iterations: count) { number in
            let path = folder + "/" + fileName(number)
            guard !FileManager.default.fileExists(atPath: path) else { return }
            let encoder = ImageEncoder(format: isExact(number) ? .png : .jpeg)
            do {
                try encoder.encode(image(number)).write(to: URL(filePath: path), options: .atomic)
            } catch {
                failure.withLock { $0 = error }
            }
        }
        if let error = failure.withLock({ $0 }) { throw error }
    }

    /// A photo as it is published.
    static func image(_ number: Int) -> PixelBuffer {
        let size = isExact(number) ? small : large
        var lines: [UInt8] = []
        lines.reserveCapacity(size.width * 4 * rows)
        for row in 0..<rows {
            for column in 0..<columns {
                let isBright = bit(row * columns / 2 + column / 2, of: number) == (column % 2 == 0)
                let field: [UInt8] =
                    isBright
                    ? [200 + UInt8(number % 40), 190 + UInt8(number / 7 % 40), 180 + UInt8(number / 50 % 40), 255]
                    : [40 + UInt8(number / 3 % 20), 30 + UInt8(number / 11 % 20), 35 + UInt8(number / 90 % 20), 255]
                for _ in 0..<(size.width / columns) { lines.append(contentsOf: field) }
            }
        }
        let stride = size.width * 4
        return PixelBuffer(uninitialized: size, isOpaque: true) { output in
            for line in 0..<size.height {
                let start = line * rows / size.height * stride
                let target = UnsafeMutableRawBufferPointer(rebasing: output[line * stride..<(line + 1) * stride])
                lines[start..<start + stride].withUnsafeBytes { target.copyMemory(from: $0) }
            }
        }
    }

    /// The number that stands in a picture; nil where none does.
    ///
    /// - Parameter brightness: Of the pixel at a place.
    static func number(in size: PixelSize, brightness: (_ x: Int, _ y: Int) -> Int) -> Int? {
        var code = 0
        for index in 0..<16 {
            let (row, column) = (index / (columns / 2), index % (columns / 2) * 2)
            let y = (2 * row + 1) * size.height / (2 * rows)
            let left = brightness((2 * column + 1) * size.width / (2 * columns), y)
            let right = brightness((2 * column + 3) * size.width / (2 * columns), y)
            if left > right { code |= 1 << index }
        }
        let number = code & 0xFFF
        return check(number) == code >> 12 ? number : nil
    }

    private static func bit(_ index: Int, of number: Int) -> Bool {
        (number | check(number) << 12) >> index & 1 == 1
    }

    private static func check(_ number: Int) -> Int { (number ^ number >> 4 ^ number >> 8 ^ 0b1010) & 0xF }
}

extension SoakImages {
    /// The number that stands in a picture; nil where none does.
    static func number(in image: PixelBuffer) -> Int? {
        image.withUnsafeBytes { bytes in
            number(in: image.size) { x, y in
                let start = y * image.bytesPerRow + x * 4
                return Int(bytes[start]) + 2 * Int(bytes[start + 1]) + Int(bytes[start + 2])
            }
        }
    }
}
