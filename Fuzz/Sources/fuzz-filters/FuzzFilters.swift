import Foundation
import Pixels

@_cdecl("LLVMFuzzerTestOneInput")
public func filterByAnything(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let text = String(decoding: UnsafeBufferPointer(start: start, count: start == nil ? 0 : count), as: UTF8.self)
    let chain: FilterChain
    do throws(FilterSyntaxError) {
        chain = try FilterChain(parsing: text)
    } catch {
        precondition(!String(describing: error).isEmpty)
        return 0
    }
    // What a chain writes of itself means the same.
    guard let again = try? FilterChain(parsing: String(describing: chain)), again == chain else {
        preconditionFailure("\(chain)")
    }
    guard chain.functions.count <= 4 else { return 0 }
    var image = PixelBuffer(size: PixelSize(width: 9, height: 5))
    chain.apply(to: &image)
    return 0
}
