/// What the head of an answer says about the length of its body.
///
/// By RFC 9112, 6.3: a length that is said twice and differently, or that is no number, cannot be recovered from, and one
/// beside a `Transfer-Encoding` "ought to be handled as an error", because two readers of the connection can then
/// disagree about where the answer ends. The same length said again, in fields of its own or as a list, is one
/// (RFC 9110, 8.6). A transfer encoding but for chunks is one that no request of ours accepts (RFC 9112, 7.4); libcurl would undo it
/// without a look at whether its end came.
struct BodyLength: Equatable {
    /// The length in bytes; nil if it is not said, or is wrong.
    private(set) var count: Int?
    /// What is wrong, as the end of a sentence.
    private(set) var fault: String?

    /// - Parameters:
    ///   - fields: The values of all `Content-Length` fields.
    ///   - encodings: The values of all `Transfer-Encoding` fields.
    init(_ fields: [String], transferEncodings encodings: [String]) {
        if encodings.contains(where: { !$0.split(separator: ",").allSatisfy(Self.isChunks) }) {
            fault = "it has a transfer encoding that nobody asked for"
            return
        }
        guard !fields.isEmpty else { return }
        if !encodings.isEmpty {
            fault = "it has both a length and a transfer encoding"
            return
        }
        // As nearly all have it.
        if fields.count == 1, let count = Self.number(fields[0][...].utf8) {
            self.count = count
            return
        }
        let comma = UInt8(ascii: ",")
        let values = fields.flatMap { $0.utf8.split(separator: comma, omittingEmptySubsequences: false) }
            .map(Self.number)
        if let first = values.first, let count = first, values.allSatisfy({ $0 == count }) {
            self.count = count
        } else {
            fault = values.contains(nil) ? "its length is no number" : "it has two different lengths"
        }
    }

    /// Whether a transfer encoding is that of chunks, or none.
    private static func isChunks(_ name: Substring) -> Bool {
        let name = name.filter { $0 != " " && $0 != "\t" }.lowercased()
        return name == "chunked" || name == "identity"
    }

    private static func number(_ text: Substring.UTF8View) -> Int? {
        var digits = text.drop { isSpace($0) }
        while let last = digits.last, isSpace(last) { digits.removeLast() }
        return digits.allSatisfy { (0x30...0x39).contains($0) } ? Int(Substring(digits)) : nil
    }

    private static func isSpace(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t")
    }
}
