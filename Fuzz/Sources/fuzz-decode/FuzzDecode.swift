import Foundation
import ImageCodecs
import Pixels

/// Decodes in this process, where a fault is seen. A time limit would only hide how long a file takes.
private let limits = DecodeLimits(
    maxPixels: 300_000, maxFrames: 20, timeLimit: .seconds(600), maxMemory: 64 << 20, isolation: .nothing)

@_cdecl("LLVMFuzzerTestOneInput")
public func decodeAnything(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let file = start.map { Data(bytes: $0, count: count) } ?? Data()
    guard let image = try? ImageDecoder.decode(file, longestSide: 40, limits: limits) else { return 0 }
    precondition(!image.size.isEmpty && max(image.size.width, image.size.height) <= 40)
    image.withUnsafeBytes { bytes in
        precondition(!image.isOpaque || stride(from: 3, to: bytes.count, by: 4).allSatisfy { bytes[$0] == 255 })
    }
    return 0
}
