import CGLib
import FoundationEssentials

/// What photos with the same bytes are known by: the first half of their SHA-256.
///
/// Half of it, because there is one for each row of a catalog; nobody can make a file that has the half of another one's.
struct ContentDigest: Hashable, Sendable {
    private let first: UInt64
    private let second: UInt64

    init(of bytes: Data) {
        let digest = bytes.withUnsafeBytes { cglib_sha256_half($0.baseAddress, gsize($0.count)) }
        (first, second) = (UInt64(digest.first), UInt64(digest.second))
    }

    /// - Parameter bytes: What ``bytes`` was; nil for anything else.
    init?(bytes: Data) {
        guard bytes.count == 16 else { return nil }
        func number(_ part: Data) -> UInt64 { part.reduce(0) { $0 << 8 | UInt64($1) } }
        (first, second) = (number(bytes.prefix(8)), number(bytes.suffix(8)))
    }

    /// The digest as it is kept.
    var bytes: Data {
        Data([first, second].flatMap { number in (0..<8).map { UInt8(truncatingIfNeeded: number >> (56 - 8 * $0)) } })
    }
}
