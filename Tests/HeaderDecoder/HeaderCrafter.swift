import Foundation
import OperationsTesting

/// Puts extremes where lengths, dimensions and counts stand; a seed repeats all.
struct HeaderCrafter {
    private var random: SeededRandom

    init(seed: UInt64) {
        random = SeededRandom(seed: seed)
    }

    private static let extremes: [UInt64] = [
        0, 1, 2, 0x7F, 0x80, 0xFF, 0x3FFF, 0x4000, 0x7FFF, 0x8000, 0xFFFE, 0xFFFF, 0x1_0000, 100_000, 0xFF_FFFF,
        0x100_0000,
        0x3FFF_FFFF, 0x7FFF_FFFF, 0x8000_0000, 0xFFFF_FFF0, 0xFFFF_FFFF, 0x1_0000_0000, 0x7FFF_FFFF_FFFF_FFFF, .max,
    ]
    /// Up to there stand the headers of small files.
    private static let reach = 640

    private mutating func below(_ bound: Int) -> Int { Int.random(in: 0..<max(1, bound), using: &random) }

    /// One of some sound files with a few numbers that are absurd.
    mutating func file(of samples: [[UInt8]]) -> Data {
        var bytes = samples[below(samples.count)]
        if bytes.first == UInt8(ascii: "<") {
            for _ in 0...below(4) { enlargeNumber(&bytes) }
            return Data(bytes)
        }
        if bytes.starts(with: [0xFF, 0x0A]) {
            for index in 2..<bytes.count { bytes[index] = UInt8(below(256)) }
        }
        for _ in 0...below(4) { overwrite(&bytes) }
        if below(3) == 0, let dimensions = Self.dimensions(bytes) {
            for place in dimensions where below(4) > 0 { write(&bytes, at: place.start, place.width, place.isBig) }
        }
        return Data(bytes.starts(with: [0x89, 0x50, 0x4E, 0x47]) ? Self.withChecksums(bytes) : bytes)
    }

    private mutating func overwrite(_ bytes: inout [UInt8]) {
        write(&bytes, at: below(min(bytes.count, Self.reach)), 1 << below(4), below(2) == 0)
    }

    private mutating func write(_ bytes: inout [UInt8], at start: Int, _ width: Int, _ isBig: Bool) {
        let value = Self.extremes[below(Self.extremes.count)]
        for index in 0..<width where start + index < bytes.count {
            let shift = UInt64(8 * (isBig ? width - 1 - index : index))
            bytes[start + index] = UInt8(truncatingIfNeeded: value >> shift)
        }
    }

    private struct Place {
        let start: Int
        let width: Int
        var isBig = true
    }

    /// Where width and height stand.
    private static func dimensions(_ bytes: [UInt8]) -> [Place]? {
        func find(_ what: [UInt8]) -> Int? {
            (0..<max(0, min(bytes.count, 4_096) - 12)).first { bytes[$0..<$0 + what.count].elementsEqual(what) }
        }
        if bytes.starts(with: [0x89, 0x50]) { return [Place(start: 16, width: 4), Place(start: 20, width: 4)] }
        if bytes.starts(with: [0xFF, 0xD8]) {
            return (find([0xFF, 0xC0]) ?? find([0xFF, 0xC2])).map {
                [Place(start: $0 + 5, width: 2), Place(start: $0 + 7, width: 2)]
            }
        }
        if bytes.starts(with: Array("GIF".utf8)) {
            return [6, 8, 26, 28].map { Place(start: $0, width: 2, isBig: false) }
        }
        if bytes.starts(with: Array("RIFF".utf8)) {
            return [Place(start: 26, width: 2, isBig: false), Place(start: 28, width: 2, isBig: false)]
        }
        return find(Array("ispe".utf8)).map { [Place(start: $0 + 8, width: 4), Place(start: $0 + 12, width: 4)] }
    }

    /// A number of a drawing becomes an extreme one.
    private mutating func enlargeNumber(_ bytes: inout [UInt8]) {
        let text = Array(String(decoding: bytes, as: UTF8.self).replacing("100", with: "10"))
        let places = text.indices.filter { text[$0].isNumber && ($0 == 0 || !text[$0 - 1].isNumber) }
        let start = places[below(places.count)]
        let end = text[start...].firstIndex { !$0.isNumber } ?? text.endIndex
        let number = "\(Self.extremes[below(Self.extremes.count)])"
        bytes = Array((String(text[..<start]) + number + String(text[end...])).utf8)
    }

    /// A PNG whose chunks have the checksums of what stands in them, so that it is read on.
    private static func withChecksums(_ bytes: [UInt8]) -> [UInt8] {
        var (file, start) = (bytes, 8)
        while start + 12 <= file.count {
            let length = file[start..<start + 4].reduce(0) { $0 << 8 | Int($1) }
            guard length <= file.count - start - 12 else { break }
            var crc = ~UInt32(0)
            for byte in file[start + 4..<start + 8 + length] {
                crc ^= UInt32(byte)
                for _ in 0..<8 { crc = crc & 1 == 1 ? crc >> 1 ^ 0xEDB8_8320 : crc >> 1 }
            }
            for index in 0..<4 {
                file[start + 8 + length + index] = UInt8(truncatingIfNeeded: ~crc >> UInt32(24 - 8 * index))
            }
            start += 12 + length
        }
        return file
    }
}
