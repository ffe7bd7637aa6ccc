import CCurl
import OperationsCore
import Synchronization

import struct FoundationEssentials.Data

/// One attempt at a download over HTTP.
///
/// Belongs to the event thread from the moment it is submitted to its ``TransferLoop``; other threads only pass it
/// back there with a command. That is what makes `@unchecked Sendable` true. What is touched for each line and piece that
/// arrives is not checked for overlapping accesses: the checks would take longer than the rest.
final class Transfer: @unchecked Sendable {
    typealias Instant = SteadyTime

    enum State {
        case waiting
        /// It has its turn, and what the disk has of its body is being looked up.
        case lookingUp
        /// It has its turn, and the file that it sends is being opened.
        case opening
        case running
        case paused
        case done
    }

    let plan: TransferPlan
    @exclusivity(unchecked) var state = State.waiting
    @exclusivity(unchecked) private var route: TransferRoute
    /// Its place in the schedule: among those that wait, or among those that run.
    @exclusivity(unchecked) var ticket: TransferLoop.Schedule.Ticket?
    @exclusivity(unchecked) var turn: TransferLoop.Schedule.Turn?
    /// How urgent it is, from 0 to 4; 5 for a robots.txt.
    var level: Int
    @exclusivity(unchecked) var handle: EasyHandle?
    @exclusivity(unchecked) var timer: TransferTimer
    /// Its place among the loop's running transfers.
    var index = 0
    /// Whether an idle connection has already let this transfer down.
    private(set) var needsFreshConnection = false
    /// Set by the check before a request is sent, for the loop to see when libcurl reports the end of it.
    var metStaleConnection = false
    /// The same, where the request would have been one too many for its host.
    var isHeldBack = false

    /// What there is none of here, so that the current hop has no connection.
    @exclusivity(unchecked) var shortage: Shortage?

    /// When it had its first turn.
    @exclusivity(unchecked) private var startedAt: Instant
    @exclusivity(unchecked) private var firstByteAt: Instant?
    /// When the current hop was handed to libcurl last.
    @exclusivity(unchecked) private(set) var hopBegan: Instant
    @exclusivity(unchecked) private(set) var intake: ResponseIntake
    @exclusivity(unchecked) var body: ReceivedBody
    /// Whether the disk was asked for the current hop's body.
    var hasLookedUp = false
    /// What is there of the current hop's body before the answer, and asked for the rest of.
    @exclusivity(unchecked) var partial: PartialBody?
    /// Whether what was kept turned out to be of no use.
    var mustStartOver = false
    /// Whether the server of the current hop turned out not to want to be asked about the body that is sent.
    private var mustNotAsk = false
    /// What the beginning of the body came with, in case the rest comes without.
    var keptValidator: StrongValidator?
    /// Why the body cannot be stored, sent or decoded.
    var bodyError: TransferError?
    /// Undoes the codings of the current hop's body; nil where there are none.
    @exclusivity(unchecked) private var decoder: ContentDecoder?
    let storage: TransferStorage
    /// How much of the body is there, for other threads to look at.
    let receivedSoFar = Atomic(0)
    private var contentType: String?
    /// What a cache hears, if it listens.
    private(set) var exchange: CacheExchange.Answer?

    init(_ plan: TransferPlan, storage: TransferStorage, at now: Instant) {
        self.storage = storage
        self.plan = plan
        route = TransferRoute(plan)
        level = plan.level
        intake = ResponseIntake(limits: plan.limits)
        body = ReceivedBody(storage: storage, maxBytesInMemory: plan.maxBytesInMemory)
        (startedAt, hopBegan) = (now, now)
        timer = TransferTimer(limits: plan.limits, at: now)
    }

    /// The address of the current hop.
    var address: WebAddress { route.address }

    /// How many redirects led to it.
    var redirects: Int { route.redirects }

    /// Whom it is meant for, whatever redirects have led to.
    var target: AddressGuard.Target { route.target }

    /// Whether the body of the current hop is for whoever asks, so that it is not kept for others: by its address, or by headers
    /// that go along.
    var isSecret: Bool { address.isSecret || (!plan.ownHeaders.isEmpty && !route.hasLeftOrigin) }

    /// The network address of the current hop's host; nil where it is not known, as behind a proxy.
    var peer: IPAddress? {
        handle?.wasProxied(address.scheme, plan.addressGuard) == false ? route.remoteAddress : nil
    }

    /// Whether the answer of the current hop has begun.
    var hasAnswerBegun: Bool { firstByteAt != nil }

    /// It has its turn.
    func begin(at now: Instant) {
        if redirects == 0 { startedAt = now }
        timer.go(at: now)
        plan.enter(.transferring)
    }

    /// A hop begins.
    func beginHop(at now: Instant) {
        hopBegan = now
        shortage = nil
        body.discard()
        keptValidator = nil
        plan.upload?.rewind()
        if mayGoOn, let own = plan.partial, own.address == address.text { partial = own }
        let part = partial.map {
            ResponseIntake.Part(offset: $0.body.count, total: $0.total, validator: $0.validator)
        }
        intake = ResponseIntake(limits: plan.limits, part: part, isUpload: plan.upload != nil)
        firstByteAt = nil
        overhead = nil
        decoder = nil
    }

    /// Watches what comes beside a body in chunks; nil for others.
    @exclusivity(unchecked) private(set) var overhead: ChunkOverhead?

    /// What is wrong with what comes beside the body, if something is.
    var overheadFault: TransferError? { overhead?.fault(body: handle?.bytesReceived ?? 0) }

    // MARK: What a cache says and hears

    /// The header lines that make the current hop's request conditional.
    var conditions: [String] { plan.exchange?.validators?.lines(for: address.text) ?? [] }

    /// Notes what the answer of the current hop says to caches.
    private func noteFields(of handle: EasyHandle) {
        guard plan.exchange != nil else { return }
        var exchange = self.exchange ?? CacheExchange.Answer()
        exchange.note(
            handle.fields, status: handle.long(CURLINFO_RESPONSE_CODE), intake.verdict, from: address,
            at: peer)
        self.exchange = exchange
    }

    // MARK: Callbacks

    /// Whether a connection to `peer` is one for this transfer.
    func mayReach(_ peer: IPAddress) -> Bool { route.mayReach(peer, isProxied: isProxied) }

    /// Whether there is a proxy for the current address.
    private var isProxied: Bool { handle?.hasProxy(for: address.scheme, plan.addressGuard) == true }

    func beginExchange(at now: Instant) {
        route.forgetRefusal()
        shortage = nil
        timer.hear(at: now)
    }

    func receiveHeader(count: Int, isEmptyLine: Bool, at now: Instant) -> Bool {
        timer.hear(at: now)
        if firstByteAt == nil { firstByteAt = now }
        guard intake.header(count: count) else { return false }
        guard isEmptyLine, intake.verdict == nil, let handle else { return true }
        let goesOn = intake.end(of: head(of: handle))
        switch intake.verdict {
        case .body, .part:
            contentType = handle.header("Content-Type")
            // Frames of HTTP/2 have no room for more.
            let isChunked = handle.header("Transfer-Encoding") != nil
            overhead = isChunked ? handle.claim.flatMap { ChunkOverhead(of: $0.socket) } : nil
            guard startDecoding() else { return false }
            noteFields(of: handle)
            takeUpPartial(isPart: intake.verdict == .part)
            body.showBeginning(expected: intake.expected)
            if plan.upload?.isSent == true { timer.end(within: .seconds(1), at: now) }
        // Such a body is read for the sake of the connection only, which is not worth waiting for.
        case .failure(.http):
            timer.end(within: .seconds(1), at: now)
            noteFields(of: handle)
        case .failure, .restart, .sendUnasked: timer.end(within: .seconds(1), at: now)
        case .redirect:
            timer.end(within: .seconds(1), at: now)
            noteFields(of: handle)
        case nil: break
        }
        return goesOn
    }

    /// Takes bytes of the body as they come, and has `take` get them decoded.
    func receive(
        _ piece: UnsafeRawBufferPointer, at now: Instant,
        _ take: (UnsafeRawBufferPointer) -> ResponseIntake.PieceAction
    ) -> ResponseIntake.PieceAction {
        timer.hear(at: now)
        guard let decoder else { return take(piece) }
        do throws(TransferError) {
            return try decoder.decode(piece, take)
        } catch {
            bodyError = error
            return .stop
        }
    }

    /// Has the body be decoded, if it is coded. Says whether that is possible.
    private func startDecoding() -> Bool {
        // What a server says about an upload is not read.
        guard intake.isEncoded, plan.upload == nil, let handle else { return true }
        do throws(TransferError) {
            let codings = ContentCodings(handle.headers("Content-Encoding"))
            decoder = try ContentDecoder(codings, maxBytes: plan.limits.maxBytes)
            return true
        } catch {
            bodyError = error
            return false
        }
    }

    /// Gives the memory for decoding back.
    func stopDecoding() { decoder = nil }

    /// Takes bytes of the body, decoded.
    func receiveBody(_ piece: UnsafeRawBufferPointer, at now: Instant) -> ResponseIntake.PieceAction {
        // What a server says about an upload is not for anybody.
        if plan.upload != nil { return .discard }
        if body.mustWait {
            pause(at: now)
            return .pause
        }
        if hasEnoughRobots { return .stop }
        let action = intake.piece(count: piece.count) { plan.flow?.mayReceive(upTo: $0) ?? true }
        switch action {
        case .store:
            do throws(TransferError) {
                try store(piece)
            } catch {
                bodyError = error
                return .stop
            }
        case .pause: pause(at: now)
        case .discard, .stop:
            break
        }
        return action
    }

    /// Whether more came of a robots.txt than is looked at; the rest is left out.
    private var hasEnoughRobots: Bool { plan.isForRobots && body.count > RobotsRules.longestFile }

    /// It is held back by us; silence does not count meanwhile.
    func pause(at now: Instant) {
        state = .paused
        timer.stop(at: now)
    }

    /// The plan's header lines that the current hop may see.
    var headers: [String] { route.permitted(plan.headers, own: plan.ownHeaders) }

    /// Whether the server of the current hop is asked whether it wants the body, before that is sent.
    var asksFirst: Bool { !mustNotAsk && plan.upload?.isWorthAsking == true }

    /// Gives out more of the body that is sent.
    func sendBody(into buffer: UnsafeMutableRawBufferPointer, at now: Instant) -> Int? {
        timer.hear(at: now)
        guard let upload = plan.upload else { return nil }
        do throws(TransferError) {
            return try upload.read(into: buffer)
        } catch {
            bodyError = error
            return nil
        }
    }

    /// How often to look how far the other side is with what is sent.
    static let acknowledgementInterval = Duration.seconds(1)
    /// How much the other side had acknowledged at the last look.
    private var acknowledged = 0

    /// Hears of the other side by what its system has acknowledged of a body since the last look: this machine's takes megabytes
    /// at once, which can take minutes over a slow connection. Over HTTP/2 that includes what other streams have sent.
    func lookAtAcknowledged(at now: Instant) {
        guard plan.upload != nil, let socket = handle?.claim?.socket else { return }
        let count = Int(ccurl_acknowledged_count(socket))
        if count > acknowledged { timer.hear(at: now) }
        acknowledged = count
    }

    private func store(_ piece: UnsafeRawBufferPointer) throws(TransferError) {
        try body.append(piece, expected: intake.expected) {
            guard storage.partials != nil, !isSecret else { return nil }
            return validator().map { (address.text, $0) }
        }
        receivedSoFar.store(body.count, ordering: .relaxed)
    }

    private func head(of handle: EasyHandle) -> ResponseIntake.Head {
        let codings = ContentCodings(handle.headers("Content-Encoding"))
        let status = handle.long(CURLINFO_RESPONSE_CODE)
        let length = BodyLength(
            handle.headers("Content-Length"), transferEncodings: handle.headers("Transfer-Encoding"))
        return ResponseIntake.Head(
            status: status, contentLength: length.count, bodyFault: length.fault ?? codings.fault,
            isEncoded: codings.isEncoded,
            location: handle.headerBytes("Location"),
            contentRange: partial == nil && status != 206 ? nil : handle.header("Content-Range"),
            entityTag: partial == nil ? nil : handle.header("ETag"),
            lastModified: partial == nil ? nil : handle.header("Last-Modified"), isConditional: !conditions.isEmpty,
            // Over HTTP/2 libcurl does not ask.
            isQuestion: asksFirst && handle.long(CURLINFO_HTTP_VERSION) < CURL_HTTP_VERSION_2_0,
            directive: plan.isForRobots ? nil : handle.respectedDirective)
    }

    // MARK: Observers

    /// Shows the body to one more, or to one again from its beginning.
    func observe(_ observer: any BodyObserver) {
        body.add(observer)
        if isShown { body.showBeginning(to: observer, expected: intake.expected) }
    }

    /// Whether there is a body to be shown.
    private var isShown: Bool {
        (state == .running || state == .paused) && (intake.verdict == .body || intake.verdict == .part)
    }

    /// What the disk had for an observer is there. Says whether the transfer may go on.
    func show(_ bytes: Data, to observer: any BodyObserver) -> Bool {
        if state == .running || state == .paused { observer.bodyBegan(with: bytes, expected: intake.expected) }
        return body.snapshotArrived()
    }

    // MARK: What comes next

    /// What the loop does after a hop.
    enum Next {
        case finish(Result<DownloadResponse, TransferError>)
        /// The same hop again, on a new connection.
        case again
        /// The new ``address``.
        case redirect
    }

    /// The hop is over: libcurl is done with it, or `failure` says what else ended it.
    func next(at now: Instant, failure: (_ headEnded: Bool, _ answered: Bool) -> TransferError?) -> Next {
        let wasNotSent = metStaleConnection || isHeldBack
        if metStaleConnection { needsFreshConnection = true }
        (metStaleConnection, isHeldBack) = (false, false)
        if wasNotSent { return .again }
        if let bodyError { return .finish(.failure(bodyError)) }
        switch intake.verdict {
        case .failure(let error):
            // Whatever happened while its body was thrown away, the answer was already clear.
            return .finish(.failure(error))
        case .redirect(let location):
            return redirect(to: location)
        case .restart:
            discard(partial)
            partial = nil
            mustStartOver = true
            return .again
        case .sendUnasked:
            mustNotAsk = true
            return .again
        case .body where plan.upload?.isSent == true:
            // It was taken, whatever became of the words about it.
            return .finish(Result { () throws(TransferError) in try response(at: now) })
        case .body where hasEnoughRobots: return .finish(Result { () throws(TransferError) in try response(at: now) })
        case .body, .part:
            if let error = failure(true, true) { return .finish(.failure(error)) }
            // libcurl takes an answer for the end, also where the body is still to be sent.
            if plan.upload != nil {
                return .finish(.failure(.protocolViolation("it says that it has what was not all sent")))
            }
            // A part without a length of its own can end anywhere, and so can what is coded.
            if intake.isIncomplete || decoder?.isWhole == false { return .finish(.failure(.truncated)) }
            return .finish(Result { () throws(TransferError) in try response(at: now) })
        case nil:
            if let refusal = route.refusal { return .finish(.failure(.forbiddenAddress(refusal))) }
            if let shortage { return .finish(.failure(shortage.error)) }
            let error = failure(false, firstByteAt != nil)
            return .finish(.failure(error ?? .protocolViolation("the answer has no complete head")))
        }
    }

    private func redirect(to location: [UInt8]) -> Next {
        do throws(TransferError) {
            try route.follow(location, isProxied: isProxied)
        } catch {
            return .finish(.failure(error))
        }
        needsFreshConnection = false
        mustStartOver = false
        mustNotAsk = false
        hasLookedUp = false
        partial = nil
        return .redirect
    }

    private func response(at now: Instant) throws(TransferError) -> DownloadResponse {
        let status = handle?.long(CURLINFO_RESPONSE_CODE) ?? 200
        // A finished transfer may live on for a while, and must not keep the bytes then. Those on disk come later.
        var memory = body.takeMemory()
        let bytes = try memory.take()
        return DownloadResponse(
            body: bytes, address: .web(address.withoutCredentials),
            // A part completes the whole, or is the whole.
            statusCode: status == 206 ? 200 : status, contentType: contentType,
            remoteAddress: route.remoteAddress,
            isProxied: handle?.wasProxied(address.scheme, plan.addressGuard) ?? false, metrics: metrics(at: now),
            exchange: exchange)
    }

    /// What it took so far.
    func metrics(at now: Instant) -> TransferMetrics {
        var metrics = TransferMetrics(
            timeToFirstByte: startedAt.duration(to: firstByteAt ?? now), total: startedAt.duration(to: now),
            bytesReceived: 0)
        metrics.redirects = redirects
        metrics.bytesSent = plan.upload?.sent.load(ordering: .relaxed) ?? 0
        handle?.measure(&metrics, hasAnswered: hasAnswerBegun)
        return metrics
    }
}
