import OperationsTesting
import Testing

@testable import Pixels

/// All instruction sets give the same bytes, whatever the shape of the work.
@Suite struct KernelPathTests {
    private static let paths = KernelPath.allCases.filter(\.isSupported)

    @Test func everyPathGivesTheSameBytes() {
        let seed: UInt64 = 21
        var generator = SeededRandom(seed: seed)
        for _ in 0..<60 {
            let chain = FilterChain.random(using: &generator)
            let width = Int.random(in: 1...70, using: &generator)
            let image = PixelBuffer.random(width: width, height: 5, using: &generator)
            var results: [PixelBuffer] = []
            for path in Self.paths {
                var result = image
                chain.run(on: &result, rows: 0..<5, path: path)
                results.append(result)
            }
            #expect(results.allSatisfy { $0 == results[0] }, "seed \(seed), \(chain), width \(width)")
        }
    }

    /// All 16.7 million colours would take long; every value of a channel beside a few of the others does not.
    @Test func everyPathAgreesOnEveryChannelValue() throws {
        var pixels: [[UInt8]] = []
        for value in 0...255 {
            let value = UInt8(value)
            pixels.append([value, value, value, 255])
            pixels.append([value, 17, 200, 0])
            pixels.append([3, value, 90, value])
            pixels.append([250, 0, value, 1])
        }
        let image = PixelBuffer(width: 32, pixels: pixels)
        for text in ["sepia(.8)", "sepia-tone(.5)", "contrast(2) sepia-tone(.5) opacity(.3)", "saturate(3) invert(.9)"]
        {
            let chain = try FilterChain(parsing: text)
            var first: PixelBuffer?
            for path in Self.paths {
                var result = image
                chain.run(on: &result, rows: 0..<32, path: path)
                #expect(result == (first ?? result), "\(text), \(path)")
                first = result
            }
        }
    }

    @Test func filteringPartsIsFilteringTheWhole() {
        let seed: UInt64 = 22
        var generator = SeededRandom(seed: seed)
        for width in [1, 2, 3, 7, 8, 9, 31, 33] {
            for functions in [[FilterFunction.sepia(0.7)], [.sepiaTone(0.8)], [.contrast(2), .opacity(0.6)]] {
                let chain = FilterChain(functions)
                let image = PixelBuffer.random(width: width, height: 11, using: &generator)
                var whole = image
                chain.apply(to: &whole)
                var parts = image
                for rows in [4..<9, 0..<1, 9..<11, 1..<4] { chain.run(on: &parts, rows: rows, path: .automatic) }
                #expect(parts == whole, "seed \(seed), \(chain), width \(width)")
            }
        }
    }

    /// Work that starts anywhere in memory changes its own pixels and no byte beside them.
    @Test func unalignedRunsStayWithinTheirBytes() throws {
        for text in ["sepia()", "sepia-tone()", "invert() sepia-tone(.5)", "opacity(.5)"] {
            let chain = try FilterChain(parsing: text)
            for offset in 0..<8 {
                for count in 0..<20 {
                    var bytes = [UInt8](repeating: 0xA5, count: 100)
                    bytes.withUnsafeMutableBytes {
                        let part = UnsafeMutableRawBufferPointer(rebasing: $0[offset..<offset + count * 4])
                        PointwiseProgram(chain.functions).run(on: part, path: .automatic)
                    }
                    let expected = chain.applied(to: [0xA5, 0xA5, 0xA5, 0xA5])
                    let inside = (0..<count).flatMap { _ in expected }
                    let after = [UInt8](repeating: 0xA5, count: 100 - offset - count * 4)
                    #expect(
                        bytes == [UInt8](repeating: 0xA5, count: offset) + inside + after, "\(text) \(offset) \(count)")
                }
            }
        }
    }

    @Test(arguments: ["sepia-tone(.8)", "blur(3px)", "drop-shadow(1px 1px 2px) blur(1px)", "look(lofi)"])
    func emptyImagesStayEmpty(text: String) throws {
        for size in [PixelSize(width: 0, height: 4), PixelSize(width: 4, height: 0)] {
            var empty = PixelBuffer(size: size)
            try FilterChain(parsing: text).apply(to: &empty)
            #expect(empty.byteCount == 0)
        }
    }
}

extension FilterChain {
    /// Runs a chain of pointwise functions over some rows.
    fileprivate func run(on image: inout PixelBuffer, rows: Range<Int>, path: KernelPath) {
        let stride = image.bytesPerRow
        image.withUnsafeMutableBytes { bytes in
            let part = bytes[rows.lowerBound * stride..<rows.upperBound * stride]
            PointwiseProgram(functions).run(on: UnsafeMutableRawBufferPointer(rebasing: part), path: path)
        }
    }
}
