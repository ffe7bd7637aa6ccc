/// A place in an object store: `s3://BUCKET/PREFIX`.
package struct StoreLocation: Hashable, Sendable, CustomStringConvertible {
    /// What such an address begins with.
    package static let scheme = "s3://"

    package let bucket: String
    /// What keys begin with, without a slash at either end; empty for the bucket itself.
    package let prefix: String

    /// Whether a text is meant as an address in an object store.
    package static func isMeant(_ text: String) -> Bool { text.hasPrefix(scheme) }

    /// Reads an address.
    ///
    /// - Throws: `configuration` for what is none: bucket names have small letters, digits, dots and hyphens, and of a prefix no part is
    ///   empty, `.` or `..`, or has control characters.
    package init(_ text: String) throws(StoreError) {
        guard Self.isMeant(text) else { throw StoreError(.configuration, "\(text) does not begin with \(Self.scheme)") }
        let parts = text.dropFirst(Self.scheme.count).split(
            separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        let bucket = parts.first.map(String.init) ?? ""
        guard (3...63).contains(bucket.utf8.count), !bucket.hasPrefix("."), !bucket.hasSuffix("."),
            !bucket.contains(".."),
            bucket.utf8.allSatisfy(Self.isBucketByte)
        else {
            throw StoreError(
                .configuration,
                "\(text) has no name of a bucket, of 3 to 63 small letters, digits, dots and hyphens: s3://BUCKET/PREFIX"
            )
        }
        var prefix = parts.count > 1 ? parts[1] : ""
        while prefix.hasSuffix("/") { prefix.removeLast() }
        let words = prefix.split(separator: "/", omittingEmptySubsequences: false)
        guard prefix.isEmpty || words.allSatisfy({ !["", ".", ".."].contains($0) }),
            prefix.unicodeScalars.allSatisfy({ $0.value >= 0x20 && $0.value != 0x7F }), prefix.utf8.count <= 900
        else {
            throw StoreError(
                .configuration, "\(text) has a prefix with an empty part, . or .., or one that is too long")
        }
        self.bucket = bucket
        self.prefix = String(prefix)
    }

    private static func isBucketByte(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte) || byte == 0x2D || byte == 0x2E || byte == 0x5F
    }

    private init(bucket: String, prefix: String) { (self.bucket, self.prefix) = (bucket, prefix) }

    /// A place below this one.
    package func inner(_ name: String) -> StoreLocation { StoreLocation(bucket: bucket, prefix: key(name)) }

    /// The key of a name below the prefix.
    package func key(_ name: String) -> String { prefix.isEmpty ? name : prefix + "/" + name }

    package var description: String { Self.scheme + (prefix.isEmpty ? bucket : bucket + "/" + prefix) }
}
