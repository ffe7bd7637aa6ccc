import Foundation

/// A strong entity tag: bytes that differ have another one.
struct EntityTag {
    /// As it stands in `ETag`.
    let text: String

    init(of bytes: Data) {
        // FNV-1a, which is the same in the next run of the server.
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
        text = "\"\(String(bytes.count, radix: 16))-\(String(hash, radix: 16))\""
    }

    /// Whether an `If-None-Match` names it: in a list or by `*`, and by weak comparison (RFC 9110, 13.1.2).
    func isNamed(by condition: String) -> Bool {
        // A tag of somebody else's may have a comma inside, and no part of that is one of ours.
        condition.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }.contains { tag in
            tag == "*" || tag == text || tag == "W/\(text)"
        }
    }
}
