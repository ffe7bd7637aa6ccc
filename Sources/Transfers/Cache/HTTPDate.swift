import CCurl

/// Reads the dates of header fields (RFC 9110, 5.6.7), also as servers write them and browsers take them: in another zone,
/// with dashes, a short year or small letters.
enum HTTPDate {
    /// Seconds since 1970; nil for what is no date.
    static func seconds(_ text: String) -> Int? {
        let seconds = curl_getdate(text, nil)
        return seconds == -1 ? nil : seconds
    }
}
