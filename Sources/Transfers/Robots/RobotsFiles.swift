/// What is known of the robots.txt of each host that was asked: for a while, and up to a number of bytes.
///
/// A plain value of the event thread. Times are those of the client's clock.
struct RobotsFiles {
    /// What a host's file says.
    enum Answer: Sendable {
        case rules(RobotsRules)
        /// It could not be had, which forbids all (RFC 9309, 2.3.1.4).
        case unreachable(TransferError)

        /// - Parameters:
        ///   - result: How asking for the file ended.
        ///   - token: What the program is called.
        init(_ result: Result<DownloadResponse, TransferError>, for token: String) {
            switch result {
            case .success(let response): self = .rules(RobotsRules(response.body, for: token))
            // There is none, or none that can be found (2.3.1.2 and 2.3.1.3).
            case .failure(.http(400...499)), .failure(.retryLater(400...499, _)), .failure(.tooManyRedirects):
                self = .rules(RobotsRules())
            case .failure(let error): self = .unreachable(error)
            }
        }

        /// Why an address may not be fetched; nil if it may.
        func refusal(of address: WebAddress) -> TransferError? {
            switch self {
            case .rules(let rules): rules.allows(address) ? nil : .disallowed(by: .robots)
            case .unreachable(let error): .disallowed(by: .unreachableRobots(error))
            }
        }

        /// How long it holds: a day (2.4), and where there is no file, until it may be there again.
        fileprivate var longestAge: Duration {
            switch self {
            case .rules: .seconds(86_400)
            case .unreachable: .seconds(300)
            }
        }

        /// How much memory it takes with its host, in bytes.
        fileprivate var byteCount: Int {
            switch self {
            case .rules(let rules): 256 + rules.byteCount
            case .unreachable: 256
            }
        }
    }

    /// A file that was asked for.
    struct Question {
        /// Who waits for it. They hold no place, and are in no line.
        var waiting: [Transfer]
        var retries: RetrySchedule
        /// What fetches it; nil as long as there is none.
        var file: Transfer?

        init(for transfer: Transfer) {
            waiting = [transfer]
            retries = RetrySchedule(policy: .transfers(), longestRetryAfter: transfer.plan.longestRetryAfter)
        }
    }

    private struct Known {
        let answer: Answer
        let since: Duration
    }

    /// How much is kept of all hosts, in bytes. With more the oldest go, and are asked for again.
    static let mostBytes = 16_000_000

    /// The files that were asked for and are not there yet.
    var asked: [WebAddress.Origin: Question] = [:]
    private var known: [WebAddress.Origin: Known] = [:]
    /// How much memory all that is known takes.
    private(set) var byteCount = 0

    /// What a host's file says, as long as that holds.
    mutating func answer(of origin: WebAddress.Origin, at now: Duration) -> Answer? {
        guard let entry = known[origin] else { return nil }
        if now - entry.since < entry.answer.longestAge { return entry.answer }
        forget(origin)
        return nil
    }

    /// Notes what a host's file says.
    mutating func know(_ origin: WebAddress.Origin, _ answer: Answer, at now: Duration) {
        forget(origin)
        if byteCount + answer.byteCount > Self.mostBytes {
            // Some more than have to go, so that they are not sorted each time.
            for (host, _) in known.sorted(by: { $0.value.since < $1.value.since }) {
                guard byteCount + answer.byteCount > Self.mostBytes / 4 * 3 else { break }
                forget(host)
            }
        }
        known[origin] = Known(answer: answer, since: now)
        byteCount += answer.byteCount
    }

    private mutating func forget(_ origin: WebAddress.Origin) {
        if let entry = known.removeValue(forKey: origin) { byteCount -= entry.answer.byteCount }
    }
}
