import Foundation

@testable import Transfers

private let addresses = ["http://a.b/", "http://a.b/c/d.jpg?e=/f", "http://a.b/%2A$*g"].compactMap {
    try? WebAddress($0)
}

/// What a robots.txt allows.
///
/// Whatever is written: what it costs is bounded, the file itself may always be fetched, and a program of another name goes by the rules
/// for all.
@_cdecl("LLVMFuzzerTestOneInput")
public func readAnyRules(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let file = start.map { Data(bytes: $0, count: count) } ?? Data()
    let (own, other, nameless) = (RobotsRules(file, for: "a"), RobotsRules(file, for: "bb"), RobotsRules(file, for: ""))
    let isNamed = file.contains { $0 | 0x20 == UInt8(ascii: "b") }
    for address in addresses {
        _ = own.allows(address)
        precondition(isNamed || other.allows(address) == nameless.allows(address))
    }
    for rules in [own, other, nameless] {
        precondition(rules.byteCount <= 64 * (count + 16))
        if let robots = try? WebAddress("http://a.b/robots.txt") { precondition(rules.allows(robots)) }
    }
    return 0
}
