import CCurl

/// Percent escapes (RFC 3986, section 2.1).
package enum PercentEscapes {
    /// Bytes without escapes. A percent sign without two digits stands for itself.
    package static func decoded(_ text: some Sequence<UInt8>) -> [UInt8] {
        let bytes = Array(text)
        guard let length = Int32(exactly: bytes.count), length > 0 else { return [] }
        return bytes.withUnsafeBytes { raw in
            var count: Int32 = 0
            guard
                let output = curl_easy_unescape(
                    nil, raw.baseAddress?.assumingMemoryBound(to: CChar.self), length, &count)
            else { return [] }
            defer { curl_free(output) }
            return Array(UnsafeRawBufferPointer(start: output, count: Int(count)))
        }
    }
}
