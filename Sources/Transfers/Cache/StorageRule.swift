/// Whether an answer may be stored (RFC 9111, 3).
enum StorageRule {
    /// The most bytes that the fields of an answer worth storing have.
    static let largestHead = 8_192

    /// Pictures are stored, and so are failures for as long as their server says, or lets guess: not found, gone and the
    /// like. Failures that may pass, or are about who asks, are not.
    static func mayStore(status: Int, _ fields: HeaderFields) -> Bool {
        let control = CacheControl(fields)
        guard !control.noStore, fields.cached.byteCount <= largestHead else { return false }
        guard isForAllRequests(fields) else { return false }
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

    /// Whether an answer varies on nothing that differs between requests with one key.
    static func isForAllRequests(_ fields: HeaderFields) -> Bool { fields.list("vary").allSatisfy(isSameInAllRequests) }

    /// Whether a request field is the same in all requests with one key, so that an answer that varies on it (RFC 9111, 4.1) is
    /// one for the next request, too.
    ///
    /// It is, unless the client itself sets it from one request to the next: what a request names is part of its key, and what
    /// it does not name is not sent. `*` stands for what no field says.
    private static func isSameInAllRequests(_ name: String) -> Bool {
        // `User-Agent` is stored with the answer.
        name != "*" && (!RequestHeaders.isReserved(name) || ["accept-encoding", "host", "user-agent"].contains(name))
    }
}
