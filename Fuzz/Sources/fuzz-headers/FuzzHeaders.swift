import Foundation
import ImageCodecs
import Pixels

private let limits = DecodeLimits(maxFrames: 1_000, isolation: .nothing)

@_cdecl("LLVMFuzzerTestOneInput")
public func probeAnything(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let file = start.map { Data(bytes: $0, count: count) } ?? Data()
    // What an SVG's header is only its renderer knows, and that one is fuzzed by decoding.
    guard ImageFormat(sniffing: file) != .svg, let info = try? ImageDecoder.probe(file, limits: limits) else {
        return 0
    }
    precondition(info.size.width > 0 && info.size.height > 0 && info.frames > 0)
    return 0
}
