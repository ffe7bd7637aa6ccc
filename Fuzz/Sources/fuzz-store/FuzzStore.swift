@testable import Transfers

/// What an object store's answer is read as.
///
/// Whatever is written: elements are no deeper than they may be, and all that they hold was in the answer.
@_cdecl("LLVMFuzzerTestOneInput")
public func readAnyAnswer(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = Array(UnsafeBufferPointer(start: start, count: count))
    guard let answer = StoreXML.parse(bytes) else { return 0 }
    var (level, depth, size) = ([answer], 0, 0)
    while !level.isEmpty {
        depth += 1
        size += level.reduce(0) { $0 + $1.name.utf8.count + $1.text.utf8.count }
        level = level.flatMap(\.children)
    }
    precondition(depth <= 64)
    precondition(size <= count)
    return 0
}
