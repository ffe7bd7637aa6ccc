import PhotoPipeline

/// How often each reason for a failure came up, and each status of HTTP.
struct ReasonCounts {
    private(set) var reasons: [PhotoError.Reason: Int] = [:]
    private var statuses = [Int](repeating: 0, count: 1_000)

    mutating func add(_ error: PhotoError) {
        reasons[error.reason, default: 0] += 1
        if let status = Self.status(of: error) { statuses[status] += 1 }
    }

    /// The reasons, the most frequent first.
    var sorted: [(reason: PhotoError.Reason, count: Int)] {
        reasons.sorted { ($1.value, $0.key.rawValue) < ($0.value, $1.key.rawValue) }.map { ($0.key, $0.value) }
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

    /// What a reason means, in a sentence for people.
    static func meaning(of reason: PhotoError.Reason) -> String {
        switch reason {
        case .invalidAddress: "The address cannot be read."
        case .forbiddenAddress: "The address is of a kind that is not allowed here."
        case .unreachable: "The host's name, the connection or the encryption failed."
        case .timeout: "The transfer took too long."
        case .hostResting: "The host failed again and again, and was left alone."
        case .robots: "The site's robots.txt asks that this is not fetched, or cannot be had."
        case .optedOut: "The server asks that the picture is not used."
        case .redirects: "There were too many redirects."
        case .http: "The server answered with an error."
        case .truncated: "The transfer ended before its end."
        case .tooLarge: "There were more bytes than allowed."
        case .tooManyPixels: "There were more pixels than allowed."
        case .empty: "The answer had no content."
        case .notAnImage: "What came is not a picture."
        case .damagedImage: "The picture is cut off or broken."
        case .unsupportedFormat: "Pictures of this kind are not read."
        case .tooManyFrames: "The animation has more frames than allowed."
        case .memoryLimit: "Decoding or filtering would have taken too much memory."
        case .decodeTimeout: "Decoding took too long."
        case .protocol: "The answer is not HTTP."
        case .notFound: "There is no such file."
        case .loaderFailed: "The loader of the address's scheme could not bring the picture."
        case .processorFailed: "A step of the processing failed."
        case .tooSmall: "The picture is smaller than asked for."
        case .aspect: "The picture is longer and narrower than asked for."
        case .writeFailed: "The result could not be written."
        case .invalidEntry: "The entry of the catalog is broken."
        case .cancelled: "The work was cancelled."
        }
    }
}
