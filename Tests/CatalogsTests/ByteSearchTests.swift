import XCTest

@testable import Catalogs

/// Searches that look at eight bytes at a time, beside what looks at one.
final class ByteSearchTests: XCTestCase {
    private func random(_ body: ([UInt8], (Int) -> Int) -> Void) {
        let seed = UInt64.random(in: 0...UInt64.max)
        print("seed \(seed)")
        var state = seed
        func number(_ bound: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33) % bound
        }
        // Bytes beside those that are looked for, and with their highest bit turned over.
        let alphabet: [UInt8] = [
            0x0A, 0x0D, 0x2C, 0x22, 0x5C, 0x0B, 0x09, 0x0C, 0x0E, 0x2B, 0x2D, 0x21, 0x23, 0x1F, 0x20, 0x00, 0x01, 0x7F,
            0x80, 0x81,
            0x8A, 0x8D, 0xA2, 0xAC, 0xDC, 0xFF, 0xC3, 0xBC, 0x61,
        ]
        for _ in 0..<20_000 {
            let plain = number(2) == 0
            body(
                (0..<number(60)).map { _ in plain && number(12) > 0 ? 0x61 : alphabet[number(alphabet.count)] }, number)
        }
    }

    func testTheFirstByteIsFound() {
        random { bytes, number in
            let start = number(bytes.count + 1)
            bytes.withUnsafeBufferPointer { buffer in
                XCTAssertEqual(
                    ByteSearch.first(in: buffer, from: start) { $0.has(0x2C) .| $0.has(0x0A) .| $0.has(0x0D) },
                    bytes[start...].firstIndex { [0x2C, 0x0A, 0x0D].contains($0) } ?? bytes.count, "\(bytes) \(start)")
                XCTAssertEqual(
                    ByteSearch.first(in: buffer, from: start) {
                        $0.hasLess(than: 0x20) .| $0.has(0x22) .| $0.has(0x5C)
                    },
                    bytes[start...].firstIndex { $0 < 0x20 || $0 == 0x22 || $0 == 0x5C } ?? bytes.count,
                    "\(bytes) \(start)")
            }
        }
    }

    func testLinesAndColumnsAreCounted() {
        random { bytes, number in
            bytes.withUnsafeBufferPointer { buffer in
                var tracker = LineTracker(start: 0)
                var target = 0
                while target < bytes.count {
                    target += number(20) + 1
                    tracker.advance(to: target, in: buffer)
                    var (line, column) = (1, 1)
                    for (place, byte) in bytes.prefix(target).enumerated() {
                        let isFirstOfTwo = byte == 0x0D && place + 1 < bytes.count && bytes[place + 1] == 0x0A
                        if byte == 0x0A || byte == 0x0D && !isFirstOfTwo {
                            (line, column) = (line + 1, 1)
                        } else if byte & 0xC0 != 0x80 {
                            column += 1
                        }
                    }
                    XCTAssertEqual([tracker.line, tracker.column], [line, column], "\(bytes) \(target)")
                }
            }
        }
    }
}
