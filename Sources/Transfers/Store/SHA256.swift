internal import CCrypto

package import protocol FoundationEssentials.ContiguousBytes

/// SHA-256 (FIPS 180-4) of bytes that come piece by piece.
///
/// By libcrypto, which libcurl brings and which uses what the processor has for it: GLib takes several times as long, and each byte
/// of a data set goes through it.
package struct SHA256: ~Copyable {
    private static let bytes = 32
    private let context: OpaquePointer?

    /// Touch it before any other call of libcrypto. By itself that frees what it has when the process calls `exit`, while threads of a client
    /// or a cache still digest.
    static let isReady: Bool = OPENSSL_init_crypto(UInt64(OPENSSL_INIT_NO_ATEXIT), nil) == 1

    package init() {
        _ = Self.isReady
        context = EVP_MD_CTX_new()
        // Whoever compares digests must not take two that were not made for equal.
        precondition(EVP_DigestInit_ex(context, EVP_sha256(), nil) == 1, "libcrypto has no SHA-256")
    }

    deinit { EVP_MD_CTX_free(context) }

    package mutating func update(_ bytes: UnsafeRawBufferPointer) {
        EVP_DigestUpdate(context, bytes.baseAddress, bytes.count)
    }

    /// The digest, 32 bytes; last.
    package mutating func finalize() -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: Self.bytes) {
            EVP_DigestFinal_ex(context, $0.baseAddress, nil)
            $1 = Self.bytes
        }
    }

    /// The digest of bytes that are there.
    package static func digest(of bytes: some ContiguousBytes) -> [UInt8] {
        var sum = SHA256()
        bytes.withUnsafeBytes { sum.update($0) }
        return sum.finalize()
    }

    /// The same in hexadecimal digits.
    package static func hexDigest(of bytes: some ContiguousBytes) -> String { hex(digest(of: bytes)) }

    /// A digest in hexadecimal digits.
    package static func hex(_ digest: [UInt8]) -> String {
        let digits = Array("0123456789abcdef".utf8)
        return String(decoding: digest.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }

    /// The digest that only somebody with a key can make: HMAC (RFC 2104).
    static func authenticationCode(of bytes: [UInt8], key: [UInt8]) -> [UInt8] {
        _ = isReady
        return [UInt8](unsafeUninitializedCapacity: Self.bytes) {
            HMAC(EVP_sha256(), key, Int32(key.count), bytes, bytes.count, $0.baseAddress, nil)
            $1 = Self.bytes
        }
    }
}
