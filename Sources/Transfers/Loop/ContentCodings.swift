import CCurl

/// What a body was coded with, by the head of its answer (RFC 9110, 8.4).
struct ContentCodings: Equatable {
    /// Whether libcurl has something to decode.
    private(set) var isEncoded = false
    /// Whether there are names that libcurl does not know.
    ///
    /// Servers put there what is none: a character set, `binary`, or the `aws-chunked` of an upload long ago. It is
    /// certain only that we cannot decode it, and what we asked for it is not; so the body is taken as it is.
    private(set) var isUnknown = false

    /// - Parameter fields: The values of all `Content-Encoding` fields.
    init(_ fields: [String]) {
        for field in fields {
            for part in field.utf8.split(separator: UInt8(ascii: ",")) {
                let name = String(decoding: part.filter { $0 > 0x20 }, as: UTF8.self).lowercased()
                if name.isEmpty || name == "identity" || name == "none" { continue }
                if Self.known.contains(name) { isEncoded = true } else { isUnknown = true }
            }
        }
        if isUnknown { isEncoded = false }
    }

    /// What this machine's libcurl decodes.
    static let known: Set<String> = {
        let features = curl_version_info(CURLVERSION_FIRST)?.pointee.features ?? 0
        var names: Set<String> = []
        if features & CURL_VERSION_LIBZ != 0 { names = ["gzip", "x-gzip", "deflate"] }
        if features & CURL_VERSION_BROTLI != 0 { names.insert("br") }
        if features & CURL_VERSION_ZSTD != 0 { names.insert("zstd") }
        return names
    }()
}
