package import struct FoundationEssentials.Data

/// A checksum that finds what a disk or a foreign hand has changed; it is no protection against somebody who means to.
///
/// SQLite looks over the structure of its pages, not over the bytes of a body in them. GLib has only digests that are made
/// against people: MD5 takes five times as long (0.7 and 3.6 GB a second), and each answer from the cache waits for it.
package enum Checksum {
    /// 64 bits, the same on every machine and in every process.
    ///
    /// Eight bytes at a time are multiplied to 128 bits and folded, so that each bit of the input reaches all of the
    /// output.
    package static func of(_ bytes: Data, seed: UInt64 = 0) -> UInt64 {
        bytes.withUnsafeBytes { of($0, seed: seed) }
    }

    package static func of(_ bytes: UnsafeRawBufferPointer, seed: UInt64 = 0) -> UInt64 {
        var sum = seed ^ 0x9E37_79B9_7F4A_7C15
        var index = 0
        while index + 8 <= bytes.count {
            sum = mixed(sum, UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self)))
            index += 8
        }
        var rest: UInt64 = 0
        var shift: UInt64 = 0
        while index < bytes.count {
            rest |= UInt64(bytes[index]) << shift
            (index, shift) = (index + 1, shift + 8)
        }
        return mixed(mixed(sum, rest), UInt64(bytes.count))
    }

    private static func mixed(_ sum: UInt64, _ word: UInt64) -> UInt64 {
        let product = (sum ^ word ^ 0xA076_1D64_78BD_642F).multipliedFullWidth(by: 0xE703_7ED1_A0B4_28DB)
        // Without the sum itself a word that makes the product zero would wipe out what came before.
        return (product.high ^ product.low) &+ (sum << 29 | sum >> 35)
    }
}
