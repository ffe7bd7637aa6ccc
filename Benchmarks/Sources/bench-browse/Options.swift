import Foundation

/// What the command line says, and what the list is given.
struct Options {
    var seconds = 300
    var photos = 100_000
    var seed = UInt64(20_070_109)

    /// Small caches, so that they are full after seconds and everything after that is growth: the bytes of the list's
    /// pictures and of the pipeline's, each.
    static let cacheLimit = 32_000_000
    static let diskCacheLimit = 64_000_000
    static let longestSide = 128

    init(_ arguments: [String]) {
        var rest = arguments.dropFirst()
        while let option = rest.popFirst(), let value = rest.popFirst() {
            switch option {
            case "--seconds": seconds = max(20, Int(value) ?? seconds)
            case "--photos": photos = max(1_000, Int(value) ?? photos)
            case "--seed": seed = UInt64(value) ?? seed
            default: break
            }
        }
    }
}
