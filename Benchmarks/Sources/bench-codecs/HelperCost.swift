import Foundation
import ImageCodecs

/// What it costs that a small GIF is decoded in a helper process, beside decoding it in this one.
enum HelperCost {
    /// Microseconds a picture: by the clock, because the work of two processes counts. Rounds take turns.
    static func measure(images: Int = 300, rounds: Int = 5) throws -> [String: Double] {
        let file = gif(side: 64)
        var times: [String: [Double]] = [:]
        for round in 0...rounds {
            for (name, usesHelper) in [("in a helper process", true), ("in this process", false)] {
                let limits = DecodeLimits(isolation: usesHelper ? .standard : .nothing)
                let start = ContinuousClock.now
                for _ in 0..<images { _ = try ImageDecoder.decode(file, longestSide: 64, limits: limits) }
                let time = (ContinuousClock.now - start) / images
                // The first round starts the helper.
                if round > 0 { times[name, default: []].append(Double(time.components.attoseconds) / 1e12) }
            }
        }
        return times.mapValues(median)
    }

    /// Noise without compression: each code is a colour, and the table of codes is cleared before it grows.
    private static func gif(side: Int) -> Data {
        var state: UInt32 = 7
        var codes: [UInt8] = []
        for pixel in 0..<side * side {
            if pixel % 120 == 0 { codes.append(128) }
            state = state &* 1_664_525 &+ 1_013_904_223
            codes.append(UInt8(state >> 25))
        }
        codes.append(129)
        func two(_ value: Int) -> [UInt8] { [UInt8(value & 255), UInt8(value >> 8)] }
        var file = Array("GIF89a".utf8) + two(side) + two(side) + [0x86, 0, 0]
        for colour in 0..<128 { file += [UInt8(colour * 2), UInt8(255 - colour), UInt8(colour)] }
        file += [0x2C] + two(0) + two(0) + two(side) + two(side) + [0, 7]
        for start in stride(from: 0, to: codes.count, by: 255) {
            let block = codes[start..<min(codes.count, start + 255)]
            file += [UInt8(block.count)] + block
        }
        return Data(file + [0, 0x3B])
    }
}
