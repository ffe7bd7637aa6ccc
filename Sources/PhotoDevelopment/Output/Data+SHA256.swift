import CGLib
import FoundationEssentials

extension Data {
    /// Its SHA-256, in hexadecimal digits.
    var sha256: String {
        let digest = withUnsafeBytes { cglib_sha256($0.baseAddress, gsize($0.count)) }
        defer { g_free(digest) }
        return digest.map { String(cString: $0) } ?? ""
    }
}
