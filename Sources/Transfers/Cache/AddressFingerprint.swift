import CGLib

/// What stands for an address where it is not to be written down: who has the address knows it again, and nobody else
/// learns it, as some let whoever has them in.
package enum AddressFingerprint {
    /// The SHA-256 of an address, in hexadecimal digits. Nobody can make two addresses with the same.
    package static func of(_ address: String) -> String {
        var address = address
        return address.withUTF8 { bytes in
            // Without one it is like no other.
            guard let digits = cglib_sha256(bytes.baseAddress, gsize(bytes.count)) else {
                return "\(UInt64.random(in: 0 ... .max))"
            }
            defer { g_free(digits) }
            return String(cString: digits)
        }
    }
}
