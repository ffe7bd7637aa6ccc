/// What stands for an address where it is not to be written down: who has the address knows it again, and nobody else
/// learns it, as some let whoever has them in.
package enum AddressFingerprint {
    /// The SHA-256 of an address, in hexadecimal digits. Nobody can make two addresses with the same.
    package static func of(_ address: String) -> String { SHA256.hexDigest(of: Array(address.utf8)) }
}
