/// Whether an answer may be stored (RFC 9111, 3).
enum StorageRule {
    /// The most bytes that the fields of an answer worth storing have.
    static let largestHead = 8_192

    /// Pictures are stored, and so are failures for as long as their server says, or lets guess: not found, gone and the
    /// like. Failures that may pass, or are about who asks, are not.
    static func mayStore(status: Int, _ fields: HeaderFields) -> Bool {
        let control = CacheControl(fields)
        guard !control.noStore, fields.cached.byteCount <= largestHead else { return false }
        guard fields.list("vary").allSatisfy(sameInAllRequests.contains) else { return false }
        let says = control.maxAge != nil || control.isPublic || fields.first("expires") != nil
        switch status {
        // What is stale already can still be asked about.
        case 200, 203: return true
        case 204, 404, 405, 410, 414, 501: return says || fields.first("last-modified") != nil
        // Part of a body, and what was asked for by conditions that the next request may not have.
        case 206, 304: return false
        case 401, 403, 407, 408, 412, 416, 417, 425, 429, 451: return false
        case 200..<300, 400..<500: return says && !control.mustUnderstand
        default: return false
        }
    }

    /// Whether an answer is for those only who name themselves as we do.
    static func dependsOnUserAgent(_ fields: HeaderFields) -> Bool { fields.list("vary").contains("user-agent") }

    /// The request fields that are the same in all requests with one key, most because they are never sent unless a request
    /// names them, and then they are part of the key. An answer that varies on others (4.1) may not be one for the next request;
    /// `*` never is.
    ///
    /// `User-Agent` is among them because it is stored with the answer.
    private static let sameInAllRequests: Set<String> = [
        "accept", "accept-charset", "accept-encoding", "accept-language", "authorization", "cookie", "device-memory",
        "dnt", "downlink", "dpr", "ect", "origin", "referer", "rtt", "save-data", "sec-ch-dpr", "sec-ch-ua",
        "sec-ch-width", "sec-fetch-dest", "sec-fetch-mode", "sec-fetch-site", "user-agent", "viewport-width", "width",
        "x-requested-with",
    ]
}
