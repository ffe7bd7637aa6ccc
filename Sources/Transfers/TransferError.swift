/// Why a transfer did not deliver.
public enum TransferError: Error, Sendable, Hashable {
    /// The address is no address: it cannot be parsed, or names no host.
    case invalidAddress
    /// The address, or one it redirects to, has a scheme or leads to a place that may not be fetched.
    case forbiddenAddress(Prohibition)
    /// The name, the connection or TLS failed; the text says how.
    case unreachable(String)
    /// The server cannot prove who it is: its certificate is not valid for its name, or nobody vouches for it.
    case untrusted(String)
    /// A limit on time ran out.
    case timeout(TimeLimit, Duration)
    /// More redirects than allowed, which is how a circle of them ends.
    case tooManyRedirects(limit: Int)
    /// The server answered with a status that is no success.
    case http(status: Int)
    /// The server answered with a status that may pass, and asks (`Retry-After`) not to be asked again before a time that is
    /// longer than ``DownloadRequest/longestRetryAfter``; counted from its answer.
    case retryLater(status: Int, after: Duration)
    /// The host failed again and again, also after a rest of ``TransferClient/Configuration/hostPatience``, and is left alone;
    /// the error is what it failed with last.
    indirect case hostResting(after: TransferError)
    /// Whoever publishes it asks that it is not fetched or not used, see ``TransferClient/Configuration/obeysRobots`` and
    /// ``TransferClient/Configuration/respectedDirectives``.
    case disallowed(by: Objection)
    /// The body ended early: before its announced length, or before the end of what it is compressed by.
    case truncated
    /// The body is longer than allowed, in bytes after decompression.
    case tooLarge(limit: Int)
    /// The answer is not proper HTTP; the text says what is wrong.
    case protocolViolation(String)
    /// A local file is missing, is no regular file or may not be read; the text says which.
    case notFound(String)
    /// A body that is too large for memory could not be kept on disk; the text says why.
    case writeFailed(String)
    /// The operation was cancelled.
    case cancelled

    /// Why an address may not be fetched.
    public enum Prohibition: Sendable, Hashable {
        /// By its scheme: only `http` and `https` are fetched, and `file` where that is allowed.
        case scheme
        /// By the ``AddressGuard``: it leads to a special range, which can be opened.
        case guarded(AddressRange)
        /// By the ``AddressGuard``: a redirect leads to this name, which no public host has.
        case privateName(String)
        /// It leads to a range that is never opened.
        case never(AddressRange)
    }

    /// What a publisher's wish stands in.
    public enum Objection: Sendable, Hashable {
        /// The host's robots.txt.
        case robots
        /// The same, which could not be had, so that nothing may be fetched; the error says why.
        indirect case unreachableRobots(TransferError)
        /// A directive in the answer's `X-Robots-Tag`.
        case tag(String)
    }

    /// Which of ``TransferLimits``' times ran out.
    public enum TimeLimit: Sendable, Hashable {
        /// ``TransferLimits/connectTimeout``
        case connect
        /// ``TransferLimits/idleTimeout``
        case idle
        /// ``TransferLimits/totalTimeout``
        case total
    }
}

extension TransferError: CustomStringConvertible {
    /// A sentence for a person.
    public var description: String {
        switch self {
        case .invalidAddress: "This is not a web address."
        case .forbiddenAddress(.scheme): "This kind of address may not be opened from here."
        case .forbiddenAddress(.guarded(let range)):
            "This leads to a \(range.purpose) address (\(range)), which is closed to redirects and to what came from elsewhere."
        case .forbiddenAddress(.privateName(let name)):
            "This leads to “\(name)”, a name of a private network, which is closed to redirects and to what came from elsewhere."
        case .forbiddenAddress(.never(let range)):
            "This leads to a \(range.purpose) address (\(range)), which is never opened."
        case .unreachable(let reason): "The server cannot be reached: \(reason)."
        case .untrusted(let reason): "The server cannot be trusted: \(reason)."
        case .timeout(.connect, let limit): "The server was not reached within \(limit)."
        case .timeout(.idle, let limit): "The server sent no complete answer for \(limit)."
        case .timeout(.total, let limit): "The transfer was not complete after \(limit)."
        case .tooManyRedirects(let limit): "The server redirects more than \(limit) times."
        case .http(let status): "The server answered with status \(status)."
        case .retryLater(let status, let wait):
            "The server answered with status \(status), and asks to wait \(Self.text(wait)) before it is asked again."
        case .hostResting(let error): "The host failed again and again, and is left alone. The last time: \(error)"
        case .disallowed(by: .robots): "The site's robots.txt asks that this is not fetched."
        case .disallowed(by: .unreachableRobots(let error)):
            "Nothing may be fetched from the site, as its robots.txt cannot be had. \(error)"
        case .disallowed(by: .tag(let directive)): "The server asks that this is not used (X-Robots-Tag: \(directive))."
        case .truncated: "The server closed the connection before all was sent."
        case .tooLarge(let limit): "The file is larger than \(limit) bytes."
        case .protocolViolation(let reason): "The server did not answer in proper HTTP: \(reason)."
        case .notFound(let reason): reason
        case .writeFailed(let reason): "Writing failed: \(reason)."
        case .cancelled: "The transfer was cancelled."
        }
    }

    /// A wait in whole units, rounded up.
    private static func text(_ wait: Duration) -> String {
        let (seconds, fraction) = wait.components
        guard seconds >= 120 else { return "\(seconds + (fraction > 0 ? 1 : 0)) seconds" }
        let minutes = parts(of: seconds, 60) + (fraction > 0 && seconds % 60 == 0 ? 1 : 0)
        guard minutes >= 120 else { return "\(minutes) minutes" }
        let hours = parts(of: minutes, 60)
        return hours < 48 ? "\(hours) hours" : "\(parts(of: hours, 24)) days"
    }

    /// How many parts of a length a count has, the last of which may be shorter; without a sum that could overflow.
    private static func parts(of count: Int64, _ length: Int64) -> Int64 {
        count / length + (count % length > 0 ? 1 : 0)
    }
}
