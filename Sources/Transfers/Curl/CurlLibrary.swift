import CCurl

/// The process-wide part of libcurl.
enum CurlLibrary {
    /// Touch it before any other call of libcurl: the first touch initialises the library, once and thread-safely.
    static let isReady: Bool = SHA256.isReady && curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK
}
