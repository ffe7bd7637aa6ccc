import CGLib
import PhotoPipeline

/// What tells one catalog from another: SHA-256 over the names and addresses of its rows, in order.
struct CatalogDigest: Equatable, Sendable {
    let text: String

    init(text: String) {
        self.text = text
    }

    init(of rows: CatalogRows) {
        let checksum = g_checksum_new(G_CHECKSUM_SHA256)
        defer { g_checksum_free(checksum) }
        var buffer: [UInt8] = []
        for place in 0..<rows.count {
            let row = rows[place]
            for text in [row.name, row.address] + (row.entry.map { [$0] } ?? []) {
                // With the length in front, as both may hold any character.
                withUnsafeBytes(of: UInt64(text.utf8.count).littleEndian) { buffer.append(contentsOf: $0) }
                buffer.append(contentsOf: text.utf8)
            }
            if buffer.count >= 1 << 16 {
                g_checksum_update(checksum, buffer, gssize(buffer.count))
                buffer.removeAll(keepingCapacity: true)
            }
        }
        g_checksum_update(checksum, buffer, gssize(buffer.count))
        text = g_checksum_get_string(checksum).map { String(cString: $0) } ?? ""
    }
}
