/// Why a photo could not be made.
///
/// The reason is one of a fixed list, which reports and user interfaces can count by; the detail is a sentence for
/// the person who wants to mend it.
public struct PhotoError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kinds of failure; the raw values are the words of a report's `error` column.
    public enum Reason: String, CaseIterable, Sendable {
        /// The address is not an address.
        case invalidAddress = "invalid-address"
        /// The address is of a kind that is not allowed here.
        case forbiddenAddress = "forbidden-address"
        /// The name, the connection or the encryption failed.
        case unreachable
        /// The transfer took too long.
        case timeout
        /// The host failed again and again, and is left alone.
        case hostResting = "host-resting"
        /// The site's robots.txt asks that it is not fetched, or cannot be had.
        case robots
        /// The server asks that it is not used, see ``/Transfers/TransferClient/Configuration/respectedDirectives``.
        case optedOut = "opted-out"
        /// Too many redirects.
        case redirects
        /// The server answered with an error; the detail begins with its number.
        case http
        /// The transfer ended before its end.
        case truncated
        /// More bytes than allowed.
        case tooLarge = "too-large"
        /// More pixels than allowed.
        case tooManyPixels = "too-many-pixels"
        /// An answer without a body.
        case empty
        /// What came is not a picture.
        case notAnImage = "not-an-image"
        /// A picture that is cut off or broken.
        case damagedImage = "damaged-image"
        /// A kind of picture that is not read here.
        case unsupportedFormat = "unsupported-format"
        /// An animation of more frames than allowed.
        case tooManyFrames = "too-many-frames"
        /// Decoding would take more memory than it may, or the system ended it for want of memory; or there is none for a filter.
        case memoryLimit = "memory-limit"
        /// Decoding took too long.
        case decodeTimeout = "decode-timeout"
        /// The answer is not HTTP.
        case `protocol`
        /// A local file that is not there.
        case notFound = "not-found"
        /// A loader of one's own has thrown an error, see ``ImageLoading``.
        case loaderFailed = "loader-failed"
        /// A processor of one's own has thrown an error, or made a picture without pixels; see ``ImageProcessing``.
        case processorFailed = "processor-failed"
        /// It is smaller than somebody wants.
        case tooSmall = "too-small"
        /// It is longer and narrower than somebody wants.
        case aspect
        /// The result could not be written.
        case writeFailed = "write-failed"
        /// The catalog's entry is broken.
        case invalidEntry = "invalid-entry"
        /// It was given up; never in a report, where this is a status.
        case cancelled
    }

    /// The kind of failure.
    public let reason: Reason
    /// A sentence that says what happened; for `.http` the status code stands before it.
    public let detail: String

    /// A failure of a kind, with a sentence about this one.
    public init(_ reason: Reason, _ detail: String) {
        self.reason = reason
        self.detail = detail
    }

    public var description: String { "\(reason.rawValue): \(detail)" }
}
