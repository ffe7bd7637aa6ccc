import PhotoPipeline

/// How often each reason for a failure came up, and each status of HTTP.
struct ReasonCounts {
    /// By the reason's word.
    private(set) var reasons: [String: Int] = [:]
    private var statuses = [Int](repeating: 0, count: 1_000)

    mutating func add(_ error: PhotoError) {
        reasons[error.reason.rawValue, default: 0] += 1
        if let status = Self.status(of: error) { statuses[status] += 1 }
    }

    /// The reasons, the most frequent first.
    var sorted: [(reason: String, count: Int)] {
        reasons.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map { ($0.key, $0.value) }
    }

    /// The statuses of HTTP that came up, the most frequent first.
    func topStatuses(_ count: Int) -> [(status: Int, count: Int)] {
        let found = statuses.enumerated().filter { $0.element > 0 }.map { (status: $0.offset, count: $0.element) }
        return Array(found.sorted { ($1.count, $0.status) < ($0.count, $1.status) }.prefix(count))
    }

    /// The three digits that the detail of an answer's failure begins with.
    private static func status(of error: PhotoError) -> Int? {
        guard error.reason == .http else { return nil }
        let digits = error.detail.utf8.prefix { (0x30...0x39).contains($0) }
        return digits.count == 3 ? Int(String(decoding: digits, as: UTF8.self)) : nil
    }

    /// What a reason means, in a sentence for people; empty for one that is not known here.
    static func meaning(of reason: String) -> String {
        switch reason {
        case "invalid-address": "The address cannot be read."
        case "forbidden-address": "The address is of a kind that is not allowed here."
        case "unreachable": "The host's name, the connection or the encryption failed."
        case "timeout": "The transfer took too long."
        case "host-resting": "The host failed again and again, and was left alone."
        case "redirects": "There were too many redirects."
        case "http": "The server answered with an error."
        case "truncated": "The transfer ended before its end."
        case "too-large": "There were more bytes than allowed."
        case "too-many-pixels": "There were more pixels than allowed."
        case "empty": "The answer had no content."
        case "not-an-image": "What came is not a picture."
        case "damaged-image": "The picture is cut off or broken."
        case "unsupported-format": "Pictures of this kind are not read."
        case "too-many-frames": "The animation has more frames than allowed."
        case "memory-limit": "Decoding would have taken too much memory."
        case "decode-timeout": "Decoding took too long."
        case "protocol": "The answer is not HTTP."
        case "not-found": "There is no such file."
        case "write-failed": "The result could not be written."
        case "invalid-entry": "The entry of the catalog is broken."
        case "robots": "The site's robots.txt asks that this is not fetched."
        case "opted-out": "The site asks that the picture is not used."
        case "too-small": "The picture is smaller than asked for."
        case "aspect": "The picture is longer and narrower than asked for."
        default: ""
        }
    }
}
