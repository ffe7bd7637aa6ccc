package import struct FoundationEssentials.Data

/// What is known of a body in a ``DiskStore``, and is stored with it.
package protocol StoredRecord: Equatable, Sendable {
    /// What such records are about, in a word: the names of their databases begin with it.
    static var kind: String { get }
    /// Bytes of the body.
    var bodyCount: Int { get }
    /// The body's ``Checksum``.
    var bodyChecksum: UInt64 { get }
    /// When it was learned, in seconds since 1970: later ones are not replaced by earlier ones. Default: always the same.
    var receivedAt: Int { get }
    /// The record as it is written; nil for one that cannot be.
    var bytes: Data? { get }

    /// Reads what ``bytes`` wrote; nil for anything else.
    init?(_ bytes: Data)
}

extension StoredRecord {
    package var receivedAt: Int { 0 }
}
