import Foundation
import XCTest

@testable import PhotoDevelopment

/// Markers that are read without the decoder.
final class ShardMarkerTests: XCTestCase {
    private func marker(_ number: Int, failures: [String: Int]) -> ShardMarker {
        func file(_ size: Int) -> ShardMarker.File {
            ShardMarker.File(size: size, sha256: String(repeating: "0a9f", count: 16))
        }
        return ShardMarker(
            plan: String(repeating: "b", count: 64), shard: number, task: 3, attempt: "k3j9x", rows: 10_000, written: 0,
            failures: failures, bytes: 123_456_789_012, tar: file(0), index: file(7), table: file(1 << 40))
    }

    private func asWritten(_ bytes: [UInt8]) -> ShardMarker? { bytes.withUnsafeBytes { ShardMarker(asWritten: $0) } }

    func testAMarkerIsReadAsItWasWritten() {
        for failures in [[:], ["timeout": 3], ["timeout": 3, "http-404": 0, "not-a-picture": 12]] {
            let marker = marker(7, failures: failures)
            XCTAssertEqual(asWritten(Array(marker.text())), marker)
        }
        // What needs escapes is left to the decoder.
        XCTAssertNil(asWritten(Array(marker(7, failures: ["a\"b": 1]).text())))
        XCTAssertNil(asWritten(Array(marker(7, failures: ["ü": 1]).text())))
        XCTAssertNil(asWritten(Array(marker(-7, failures: [:]).text())))
    }

    /// Whatever happens to a marker, no other one is read than the decoder reads.
    func testADamagedMarkerIsReadAsTheDecoderReadsIt() {
        let seed = UInt64.random(in: 0...UInt64.max)
        print("seed \(seed)")
        var state = seed
        func random(_ bound: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33) % bound
        }
        let whole = Array(marker(7, failures: ["timeout": 3, "http-404": 10]).text())
        let pieces = [
            "0", "00", "-", ".5", "e3", "\"", "\\", "\\u0061", " ", "\n", "{", "}", ",", ":", "null",
            "9999999999999999999", "\u{0}",
        ]
        var (read, same) = (0, 0)
        for _ in 0..<20_000 {
            var bytes = whole
            let place = random(bytes.count)
            switch random(5) {
            case 0: bytes[place] = UInt8(random(256))
            case 1: bytes.remove(at: place)
            case 2: bytes.insert(contentsOf: pieces[random(pieces.count)].utf8, at: place)
            case 3: bytes.removeSubrange(place..<min(bytes.count, place + random(40)))
            default: bytes.insert(contentsOf: bytes[place..<min(bytes.count, place + random(40))], at: place)
            }
            guard let found = asWritten(bytes) else { continue }
            read += 1
            let decoded = try? JSONDecoder().decode(ShardMarker.self, from: Data(bytes))
            XCTAssertEqual(found, decoded, String(decoding: bytes, as: UTF8.self))
            if decoded == found { same += 1 }
        }
        XCTAssertGreaterThan(read, 1_000)
        XCTAssertEqual(read, same)
    }
}
