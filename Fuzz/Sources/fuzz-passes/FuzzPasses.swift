import Foundation
import ImageCodecs
import Pixels

private let limits = DecodeLimits(
    maxPixels: 300_000, timeLimit: .seconds(600), maxMemory: 64 << 20, isolation: .nothing)

/// The first byte says in which pieces the rest arrives.
@_cdecl("LLVMFuzzerTestOneInput")
public func showAnything(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    guard let start, count > 1 else { return 0 }
    let file = Data(bytes: start + 1, count: count - 1)
    let piece = Int(start[0]) * 16 + 1
    let decoder = ProgressiveDecoder(longestSide: 40, limits: limits)
    var now = ContinuousClock.now
    for offset in stride(from: 0, to: file.count, by: piece) {
        now += .seconds(1)
        let isDue = decoder.append(file[offset..<min(file.count, offset + piece)], now: now)
        guard let image = try? decoder.nextPass(now: now) else { continue }
        precondition(isDue && max(image.size.width, image.size.height) <= 40 && !image.size.isEmpty)
    }
    return 0
}
