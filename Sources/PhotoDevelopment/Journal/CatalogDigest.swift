import CGLib
import PhotoPipeline

/// What tells one catalog from another: SHA-256 over the names and addresses of its rows, in order.
struct CatalogDigest: Equatable, Sendable {
    let text: String

    init(text: String) {
        self.text = text
    }

    init(of rows: CatalogRows) {
        let sum = Sum()
        for place in 0..<rows.count {
            let row = rows[place]
            sum.add(name: row.name, address: row.address, entry: row.entry)
        }
        self = sum.digest
    }

    /// A digest that is made row by row; for one thread.
    final class Sum {
        private let checksum = g_checksum_new(G_CHECKSUM_SHA256)
        private var buffer: [UInt8] = []

        deinit { g_checksum_free(checksum) }

        /// Adds the next row.
        func add(name: String, address: String, entry: String?) {
            add(name)
            add(address)
            if let entry { add(entry) }
            if buffer.count >= 1 << 16 { flush() }
        }

        /// Adds bytes as they stand.
        func add(_ bytes: [UInt8]) {
            buffer.append(contentsOf: bytes)
            if buffer.count >= 1 << 16 { flush() }
        }

        private func add(_ text: String) {
            // With the length in front, as texts may hold any character.
            withUnsafeBytes(of: UInt64(text.utf8.count).littleEndian) { buffer.append(contentsOf: $0) }
            buffer.append(contentsOf: text.utf8)
        }

        private func flush() {
            g_checksum_update(checksum, buffer, gssize(buffer.count))
            buffer.removeAll(keepingCapacity: true)
        }

        /// The digest of all rows; last.
        var digest: CatalogDigest {
            flush()
            return CatalogDigest(text: g_checksum_get_string(checksum).map { String(cString: $0) } ?? "")
        }
    }
}
