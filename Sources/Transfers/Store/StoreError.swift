import CCurl

/// Why an object store did not do what it was asked for. No text of the store's and no secret is part of it, only the store's own code.
package struct StoreError: Error, Hashable, Sendable {
    /// What it means to who asked.
    package enum Kind: Hashable, Sendable {
        /// What the person has set is wrong or missing.
        case configuration
        /// The store does not know who asks, or does not let them.
        case credentials
        /// The store's clock and this machine's differ too much.
        case clock
        /// The store cannot do what is needed.
        case unfit
        /// There is no such bucket.
        case noBucket
        /// There is no such object.
        case notFound
        /// There is no room left.
        case full
        /// The store is away or busy, and may come back.
        case unavailable
        /// Something is there already, or somebody else is at it.
        case exists
        /// The answer is not what it should be.
        case answer
        /// It was given up.
        case cancelled
    }

    package let kind: Kind
    /// The store's own code, such as `SlowDown`; nil where it gave none.
    package let code: String?
    private let sentence: String

    package init(_ kind: Kind, code: String? = nil, _ sentence: String) {
        (self.kind, self.code, self.sentence) = (kind, code, sentence)
    }

    /// Whether the same may well succeed a little later.
    package var isTransient: Bool { kind == .unavailable }

    /// Whether it will be the same until the person has changed something.
    package var isLasting: Bool { [.configuration, .credentials, .clock, .unfit, .noBucket].contains(kind) }
}

extension StoreError: CustomStringConvertible {
    /// The reason, to be put behind a colon.
    package var description: String { code.map { "\(sentence) (\($0))" } ?? sentence }
}

extension StoreError {
    /// What it means that there is no whole answer.
    ///
    /// - Parameter origin: Scheme, host and port of the store.
    init(_ failure: CurlFailure, of origin: String) {
        switch failure.code {
        case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_ISSUER_ERROR:
            self.init(
                .configuration,
                "\(origin) cannot prove its identity; AWS_CA_BUNDLE names a file with the authorities to trust: "
                    + failure.reason)
        case CURLE_SSL_CACERT_BADFILE:
            self.init(
                .configuration, "the file with the authorities to trust cannot be used; look at AWS_CA_BUNDLE")
        default:
            self.init(.unavailable, "\(origin) cannot be reached: \(failure.reason)")
        }
    }

    /// What an answer means that is no success.
    ///
    /// - Parameters:
    ///   - status: The HTTP status.
    ///   - code: The store's own code.
    ///   - facts: What else is needed for a sentence.
    init(status: Int, code: String?, _ facts: Facts) {
        let known = code ?? "HTTP \(status)"
        func error(_ kind: Kind, _ sentence: String) -> StoreError { StoreError(kind, code: known, sentence) }
        switch (code, status) {
        case ("RequestTimeTooSkewed", _):
            self = error(.clock, Self.clockSentence(facts.ahead))
        case ("ExpiredToken", _), ("TokenRefreshRequired", _), ("RequestExpired", _), ("ExpiredTokenException", _):
            self = error(.credentials, "the credentials have expired; renew them")
        case ("SignatureDoesNotMatch", _):
            self = error(
                .credentials, "the store refuses the signature; look at AWS_SECRET_ACCESS_KEY, and the profile")
        case ("InvalidAccessKeyId", _), ("InvalidToken", _), ("InvalidSecurity", _), ("InvalidClientTokenId", _):
            self = error(.credentials, "the store does not know these credentials")
        case ("AuthorizationHeaderMalformed", _), ("PermanentRedirect", _), ("IllegalLocationConstraintException", _),
            (nil, 301):
            let place = facts.region.map { "is in the region \($0)" } ?? "is in another region, or at another endpoint"
            self = error(.configuration, "the bucket \(facts.bucket) \(place); set AWS_REGION or AWS_ENDPOINT_URL")
        case ("NoSuchBucket", _): self = error(.noBucket, "there is no bucket \(facts.bucket)")
        case ("QuotaExceeded", _), ("XMinioStorageFull", _), ("InsufficientCapacity", _),
            ("EntityTooLargeForBucket", _), (_, 507):
            self = error(.full, "the bucket \(facts.bucket) is full")
        case ("TemporaryRedirect", _):
            self = error(.unavailable, "the bucket \(facts.bucket) is new, and its name leads elsewhere as yet")
        case ("SlowDown", _), ("ServiceUnavailable", _), ("InternalError", _), ("RequestTimeout", _),
            ("OperationAborted", _),
            ("ConditionalRequestConflict", _), ("Throttling", _), ("ThrottlingException", _),
            ("RequestLimitExceeded", _):
            self = error(.unavailable, "the store is busy")
        case (_, 412): self = error(.exists, "there is such an object already")
        case (_, 404): self = error(.notFound, "there is no such object")
        case (_, 401), (_, 403):
            self = error(.credentials, "the store does not let these credentials into \(facts.bucket)")
        case (_, 408), (_, 429), (_, 500), (_, 502), (_, 503), (_, 504):
            self = error(.unavailable, "the store is busy or broken")
        case ("NotImplemented", _), (_, 501): self = error(.unfit, "the store cannot do what is needed")
        default: self = error(.answer, "the store refuses a request")
        }
    }

    /// What sentences about an answer need.
    struct Facts {
        let bucket: String
        /// Where the bucket is, if the store says.
        var region: String?
        /// By how many seconds this machine's clock is ahead of the store's; nil where that is not known.
        var ahead: Int?
    }

    private static func clockSentence(_ ahead: Int?) -> String {
        guard let ahead else {
            return "the clocks of this machine and of the store differ too much; set this machine's"
        }
        let seconds = abs(ahead)
        let span = seconds < 7200 ? "\(max(1, seconds / 60)) minutes" : "\(seconds / 3600) hours"
        return "the clock of this machine is \(span) \(ahead > 0 ? "ahead of" : "behind") the store's; set it"
    }
}
