/// What is known of the robots.txt of each host that was asked, kept for as long as its client.
///
/// A plain value of the event thread.
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
    }

    /// A file that was asked for.
    struct Question {
        /// Who waits for it. They hold no place, and are in no line.
        var waiting: [Transfer]
        var retries: RetrySchedule

        init(for transfer: Transfer) {
            waiting = [transfer]
            retries = RetrySchedule(policy: .transfers(), longestRetryAfter: transfer.plan.longestRetryAfter)
        }
    }

    enum Entry {
        case asked(Question)
        case known(Answer)
    }

    var entries: [WebAddress.Origin: Entry] = [:]
}
