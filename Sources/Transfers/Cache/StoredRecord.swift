package import struct FoundationEssentials.Data

/// What is known of a body in a ``DiskStore``, and is stored with it.
package protocol StoredRecord: Equatable, Sendable {
    /// What such records are about, in a word: the names of their databases begin with it.
    static var kind: String { get }
    /// Bytes of the body.
    var bodyCount: Int { get }
    /// The body's ``Checksum``.
    var bodyChecksum: UInt64 { get }
    /// The record as it is written; nil for one that cannot be.
    var bytes: Data? { get }

    /// Reads what ``bytes`` wrote; nil for anything else.
    init?(_ bytes: Data)
}
