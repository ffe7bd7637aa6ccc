import Foundation
import ImageCodecs
import Pixels

private let limits = DecodeLimits(
    maxPixels: 100_000, maxFrames: 20, timeLimit: .seconds(600), maxMemory: 64 << 20, isolation: .nothing)

/// The first byte says which frames are asked for.
@_cdecl("LLVMFuzzerTestOneInput")
public func playAnything(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    guard let start, count > 1,
        let animation = try? Animation(
            Data(bytes: start + 1, count: count - 1), longestSide: 40, limits: limits)
    else { return 0 }
    for index in [Int(start[0] & 15), Int(start[0] >> 4), animation.frameCount - 1] {
        guard let frame = try? animation.frame(index) else { continue }
        precondition(max(frame.image.size.width, frame.image.size.height) <= 40 && !frame.image.size.isEmpty)
    }
    return 0
}
