/// What of an answer is taken in: a plain value that is shown its head and its pieces and says what to do.
struct ResponseIntake {
    /// What a finished head means.
    enum Verdict: Equatable {
        /// The body is wanted.
        case body
        /// The part of the body that was asked for is coming.
        case part
        /// What was kept of the body is of no use; the whole is to be asked for.
        case restart
        /// The server does not want to be asked whether it wants the body that is sent: it is to be sent without that.
        case sendUnasked
        /// Another address is to be asked.
        case redirect([UInt8])
        /// The transfer has failed; the body is of no interest.
        case failure(TransferError)
    }

    /// What to do with bytes of the body.
    enum PieceAction: Equatable {
        case store
        /// Read and forget, so that the connection can be used again.
        case discard
        /// Keep the bytes waiting and ask again later.
        case pause
        /// End the transfer here.
        case stop
    }

    /// The head of an answer.
    struct Head {
        var status: Int
        var contentLength: Int?
        /// What is wrong with what is said of the body, if anything is; the text says what.
        var bodyFault: String?
        var isEncoded: Bool
        /// `Location`, as it was sent: it need not be text.
        var location: [UInt8]?
        /// `Content-Range`, as it was sent.
        var contentRange: String?
        var entityTag: String?
        var lastModified: String?
        /// Whether the request asked only for something other than what we have.
        var isConditional = false
        /// Whether the request asked whether its body is wanted, before it was sent.
        var isQuestion = false
        /// What it says of its use that is respected, if anything.
        var directive: String?
    }

    /// What was asked for, if not the whole.
    struct Part: Equatable {
        /// How much of the body is there already.
        var offset: Int
        /// The length of the whole, if it is known.
        var total: Int?
        var validator: StrongValidator
    }

    /// The most room that is asked for ahead of what has arrived.
    static let largestStep = 4_000_000
    /// The largest body that is read only to keep its connection.
    static let drainLimit = 65_536

    /// Nil until the head of the final answer is complete.
    private(set) var verdict: Verdict?
    /// Bytes of the body that were accepted so far.
    private(set) var received = 0
    /// How long the body is going to be, if that is known.
    private(set) var expected: Int?
    /// Whether the body is compressed, so that it cannot be gone on with in the middle.
    private(set) var isEncoded = false
    private let limits: TransferLimits
    private let part: Part?
    private let isUpload: Bool
    private var headerBytes = 0
    private var headerLines = 0
    /// libcurl goes through all fields to find one, so that many short ones would hold all transfers up.
    private static let mostHeaderLines = 1_000
    private var granted = 0
    /// Whether the body is to be as long as is expected, whatever ends it.
    private var isExact = false

    init(limits: TransferLimits, part: Part? = nil, isUpload: Bool = false) {
        self.limits = limits
        self.isUpload = isUpload
        self.part = part
    }

    /// Whether less came of a part, or of all parts, than its head said.
    var isIncomplete: Bool { isExact && received < expected ?? 0 }

    /// A header line arrived, also of an interim answer or a trailer. Says whether to go on.
    mutating func header(count: Int) -> Bool {
        headerBytes += count
        headerLines += 1
        if headerLines > Self.mostHeaderLines {
            verdict = .failure(.protocolViolation("the head has more than \(Self.mostHeaderLines) lines"))
            return false
        }
        if headerBytes > limits.maxHeaderBytes {
            verdict = .failure(.protocolViolation("the head is longer than \(limits.maxHeaderBytes) bytes"))
            return false
        }
        return true
    }

    /// A head is complete. Says whether to go on.
    mutating func end(of head: Head) -> Bool {
        // What comes after a final head is a trailer.
        guard verdict == nil else { return true }
        if head.status == 101 {
            verdict = .failure(.protocolViolation("the server changes to another protocol, which nobody asked for"))
            return false
        }
        // 1xx announces another head.
        guard head.status >= 200 else { return true }
        let verdict = self.verdict(on: head)
        self.verdict = verdict
        isEncoded = head.isEncoded
        switch verdict {
        case .body: return true
        case .part:
            received = part?.offset ?? 0
            return true
        case .restart: return (head.contentLength ?? 0) <= Self.drainLimit
        // libcurl itself would send the request again, whatever its host may get.
        case .sendUnasked: return false
        case .failure(.tooLarge), .failure(.protocolViolation): return false
        case .redirect, .failure: return (head.contentLength ?? 0) <= Self.drainLimit
        }
    }

    /// A piece of the body arrived; `mayReceive` is asked if it needs more room than was granted.
    mutating func piece(count: Int, mayReceive: (Int) -> Bool) -> PieceAction {
        guard verdict == .body || verdict == .part else {
            received += count
            return received > Self.drainLimit ? .stop : .discard
        }
        let held = received + count
        if isExact, held > expected ?? 0 {
            verdict = .failure(.protocolViolation("the part is longer than its head says"))
            return .stop
        }
        if held > limits.maxBytes {
            verdict = .failure(.tooLarge(limit: limits.maxBytes))
            return .stop
        }
        if held > granted {
            // In steps, so that a server cannot reserve all room with a promise that it does not keep.
            let wanted = max(held, min(expected ?? 0, held + Self.largestStep))
            guard mayReceive(wanted) else { return .pause }
            granted = wanted
        }
        received = held
        return .store
    }

    private mutating func verdict(on head: Head) -> Verdict {
        if let fault = head.bodyFault { return .failure(.protocolViolation(fault)) }
        if let directive = head.directive, 200..<300 ~= head.status || head.status == 304 {
            return .failure(.disallowed(by: .tag(directive)))
        }
        switch head.status {
        case 301, 302, 303, 307, 308:
            // All but the last two may mean "look there for the answer", and not "send it there".
            guard !isUpload || head.status >= 307, let location = head.location else {
                return .failure(.http(status: head.status))
            }
            return .redirect(location)
        case 206 where part != nil:
            return verdict(onPart: head)
        case 416 where part != nil:
            return .restart
        case 417 where head.isQuestion:
            return .sendUnasked
        case 304 where head.isConditional:
            return .body
        case 206:
            return verdict(onUnaskedPart: head)
        case 200..<300:
            return verdict(onWhole: head)
        default:
            return .failure(.http(status: head.status))
        }
    }

    private mutating func verdict(onWhole head: Head) -> Verdict {
        // The length of a compressed body says nothing about what it becomes.
        guard !head.isEncoded, let length = head.contentLength else { return .body }
        if length > limits.maxBytes { return .failure(.tooLarge(limit: limits.maxBytes)) }
        expected = length
        return .body
    }

    /// A part that nobody asked for is taken where it is all there is.
    private mutating func verdict(onUnaskedPart head: Head) -> Verdict {
        guard !isUpload, let range = head.contentRange.flatMap(ContentRange.init), let total = range.total,
            range.first == 0, range.last + 1 == total, head.contentLength == nil || head.contentLength == total
        else { return .failure(.protocolViolation("a part was sent where the whole was asked for")) }
        var head = head
        head.contentLength = total
        isExact = !head.isEncoded
        return verdict(onWhole: head)
    }

    /// Whether a part is the one that was asked for (RFC 9110, 15.3.7). If not, nothing that was kept can be trusted.
    private mutating func verdict(onPart head: Head) -> Verdict {
        guard let part, !head.isEncoded, let range = head.contentRange.flatMap(ContentRange.init),
            range.first == part.offset, range.total == nil || range.last + 1 == range.total,
            head.contentLength == nil || head.contentLength == range.last - range.first + 1
        else { return .restart }
        if let known = part.total, range.last + 1 != known { return .restart }
        if !part.validator.isConfirmed(entityTag: head.entityTag, lastModified: head.lastModified) { return .restart }
        if range.last >= limits.maxBytes { return .failure(.tooLarge(limit: limits.maxBytes)) }
        expected = range.last + 1
        isExact = true
        return .part
    }
}
