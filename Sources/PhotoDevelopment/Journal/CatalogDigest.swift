import PhotoPipeline
import Transfers

/// What tells one catalog from another: SHA-256 over the names and addresses of its rows, in order.
struct CatalogDigest: Equatable, Sendable {
    let text: String

    init(text: String) {
        self.text = text
    }

    init(of rows: CatalogRows) {
        var sum = Sum()
        for place in 0..<rows.count {
            let row = rows[place]
            sum.add(name: row.name, address: row.address, entry: row.entry)
        }
        self = sum.finalize()
    }

    /// A digest that is made row by row.
    struct Sum: ~Copyable {
        private var sum = SHA256()
        private var buffer: [UInt8] = []

        /// Adds the next row.
        mutating func add(name: String, address: String, entry: String?) {
            add(name)
            add(address)
            if let entry { add(entry) }
            if buffer.count >= 1 << 16 { flush() }
        }

        /// Adds bytes as they stand, best many at once.
        mutating func add(_ bytes: UnsafeRawBufferPointer) {
            flush()
            sum.update(bytes)
        }

        private mutating func add(_ text: String) {
            // With the length in front, as texts may hold any character.
            withUnsafeBytes(of: UInt64(text.utf8.count).littleEndian) { buffer.append(contentsOf: $0) }
            buffer.append(contentsOf: text.utf8)
        }

        private mutating func flush() {
            buffer.withUnsafeBytes { sum.update($0) }
            buffer.removeAll(keepingCapacity: true)
        }

        /// The digest of all rows; last.
        mutating func finalize() -> CatalogDigest {
            flush()
            return CatalogDigest(text: SHA256.hex(sum.finalize()))
        }
    }
}
