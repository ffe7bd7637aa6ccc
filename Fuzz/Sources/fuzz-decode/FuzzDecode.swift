import Foundation
import ImageCodecs
import Pixels

/// Decodes in this process, where a fault is seen. A time limit would only hide how long a file takes.
private let limits = DecodeLimits(
    maxPixels: 300_000, maxFrames: 20, timeLimit: .seconds(600), maxMemory: 64 << 20, isolation: .nothing)

@_cdecl("LLVMFuzzerTestOneInput")
public func decodeAnything(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let file = start.map { Data(bytes: $0, count: count) } ?? Data()
    guard let picture = try? ImageDecoder.decode(file, longestSide: 40, limits: limits) else { return 0 }
    precondition(!picture.size.isEmpty && max(picture.size.width, picture.size.height) <= 40)
    picture.withUnsafeBytes { bytes in
        precondition(!picture.isOpaque || stride(from: 3, to: bytes.count, by: 4).allSatisfy { bytes[$0] == 255 })
    }
    return 0
}
