import FoundationEssentials
import Transfers

/// What photos with the same bytes are known by: the first half of their SHA-256.
///
/// Half of it, because there is one for each row of a catalog; nobody can make a file that has the half of another one's.
struct ContentDigest: Hashable, Sendable {
    private let first: UInt64
    private let second: UInt64

    init(of bytes: Data) {
        let digest = SHA256.digest(of: bytes)
        (first, second) = (Self.number(digest[..<8]), Self.number(digest[8..<16]))
    }

    /// - Parameter bytes: What ``bytes`` was; nil for anything else.
    init?(bytes: Data) {
        guard bytes.count == 16 else { return nil }
        (first, second) = (Self.number(bytes.prefix(8)), Self.number(bytes.suffix(8)))
    }

    private static func number(_ bytes: some Sequence<UInt8>) -> UInt64 {
        bytes.reduce(0) { $0 << 8 | UInt64($1) }
    }

    /// The digest as it is kept.
    var bytes: Data {
        Data([first, second].flatMap { number in (0..<8).map { UInt8(truncatingIfNeeded: number >> (56 - 8 * $0)) } })
    }
}
