/// Whether an answer may be stored (RFC 9111, 3).
enum StorageRule {
    /// The most bytes that the fields of an answer worth storing have.
    static let largestHead = 8_192

    /// Only whole pictures are stored. Failures are not, although HTTP would allow it for some: a photo that could not be had is
    /// asked for again when somebody wants it again.
    static func mayStore(status: Int, _ fields: HeaderFields) -> Bool {
        guard status == 200 || status == 203, !CacheControl(fields).noStore else { return false }
        guard fields.cached.byteCount <= largestHead else { return false }
        return fields.list("vary").allSatisfy(sameInAllRequests.contains)
    }

    /// The request fields that are the same in all of our requests, most because they are never sent. An answer that
    /// varies on others (4.1), `User-Agent` among them, may not be one for the next request; `*` never is.
    ///
    /// `Authorization` is among them because answers to requests with credentials are not stored at all.
    private static let sameInAllRequests: Set<String> = [
        "accept", "accept-charset", "accept-encoding", "accept-language", "authorization", "cookie", "device-memory",
        "dnt",
        "downlink", "dpr", "ect", "origin", "referer", "rtt", "save-data", "sec-ch-dpr", "sec-ch-ua", "sec-ch-width",
        "sec-fetch-dest", "sec-fetch-mode", "sec-fetch-site", "viewport-width", "width", "x-requested-with",
    ]
}
