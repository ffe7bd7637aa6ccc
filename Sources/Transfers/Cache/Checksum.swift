import CXXHash

package import struct FoundationEssentials.Data

/// A checksum that finds what a disk or a foreign hand has changed; it is no protection against somebody who means to.
///
/// XXH3 of 64 bits, the same on every machine and in every process. SQLite looks over the structure of its pages, not over the
/// bytes of a body in them, and each answer from the cache waits for this.
package enum Checksum {
    package static func of(_ bytes: Data, seed: UInt64 = 0) -> UInt64 {
        bytes.withUnsafeBytes { of($0, seed: seed) }
    }

    package static func of(_ bytes: UnsafeRawBufferPointer, seed: UInt64 = 0) -> UInt64 {
        XXH3_64bits_withSeed(bytes.baseAddress, bytes.count, seed)
    }

    /// Has the processor fetch a place in a table, which a checksum says, before it is needed.
    @inline(__always)
    package static func prefetch(_ place: UnsafeRawPointer) { cxxhash_prefetch(place) }
}
