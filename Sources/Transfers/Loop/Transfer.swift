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
        case running
        case paused
        case done
    }

    let plan: TransferPlan
    @exclusivity(unchecked) var state = State.waiting
    /// The address of the current hop.
    @exclusivity(unchecked) private(set) var address: WebAddress
    /// Whose place in the schedule it takes while it runs.
    var occupiedOrigin: WebAddress.Origin
    @exclusivity(unchecked) var handle: EasyHandle?
    @exclusivity(unchecked) var timer: TransferTimer
    /// Its place among the loop's running transfers.
    var index = 0
    /// Whether an idle connection has already let this transfer down.
    private(set) var needsFreshConnection = false
    /// Set by the check before a request is sent, for the loop to see when libcurl reports the end of it.
    var metStaleConnection = false

    /// The range that the guard refused, for the loop to see when libcurl reports the end of it.
    private var refusal: AddressRange?
    private var remoteAddress: IPAddress?
    /// Whom it was meant for before any redirect.
    private var target: AddressGuard.Target

    /// Who sees the body while it comes.
    @exclusivity(unchecked) private var observers: [any BodyObserver] = []

    private let startedAt: Instant
    @exclusivity(unchecked) private var firstByteAt: Instant?
    @exclusivity(unchecked) private var intake: ResponseIntake
    @exclusivity(unchecked) private var body = BodyStore()
    /// The body where it is on disk.
    @exclusivity(unchecked) private var disk: DiskBody?
    /// How many observers wait to be shown what the disk has; the transfer stands meanwhile.
    private var awaitedSnapshots = 0
    /// Whether the disk was asked for the current hop's body.
    private var hasLookedUp = false
    /// Lets it go on from another thread; the loop sets it when it takes the transfer over.
    var wake: @Sendable () -> Void = {}
    /// Brings what the disk has to an observer, on the event thread; the loop's, too.
    var bring: @Sendable (Data, any BodyObserver) -> Void = { _, _ in }
    /// What is there of the current hop's body before the answer, and asked for the rest of.
    @exclusivity(unchecked) private(set) var partial: PartialBody?
    /// Whether what was kept turned out to be of no use.
    private var mustStartOver = false
    /// What the beginning of the body came with, in case the rest comes without.
    private var keptValidator: StrongValidator?
    private var storageError: TransferError?
    private let storage: TransferStorage
    private(set) var redirects = 0
    /// Whether a redirect has led to another origin than the plan's, which may have led back since: then that other one says
    /// what is asked for there.
    private var hasLeftOrigin = false
    /// How much of the body is there, for other threads to look at.
    let receivedSoFar = Atomic(0)
    private var contentType: String?
    /// What a cache hears, if it listens.
    private(set) var exchange: CacheExchange.Answer?

    /// The most that is reserved on a server's word alone.
    private static let largestReservation = 1 << 20

    init(_ plan: TransferPlan, storage: TransferStorage, at now: Instant) {
        self.storage = storage
        self.plan = plan
        address = plan.address
        target = AddressGuard.Target(host: plan.address.host)
        occupiedOrigin = plan.address.origin
        intake = ResponseIntake(limits: plan.limits)
        startedAt = now
        timer = TransferTimer(limits: plan.limits, at: now)
    }

    /// Whether the disk is to be asked for what it has of the next hop's body.
    var wantsLookUp: Bool {
        storage.partials != nil && !hasLookedUp && mayGoOn && !address.isSecret && plan.partial?.address != address.text
    }

    /// Asks the disk, on its queue; `then` is called there.
    func lookUp(_ then: @escaping @Sendable (PartialBody?) -> Void) {
        hasLookedUp = true
        let look = BlockOperation { [storage, text = address.text] in then(storage.partials?.take(text)) }
        // Before the bytes of others that wait to be written.
        look.queuePriority = .high
        storage.queue.addOperation(look)
    }

    /// What the disk has. Says whether the rest is to be asked for.
    @discardableResult
    func found(_ partial: PartialBody?) -> Bool {
        guard let partial, mayGoOn, partial.address == address.text else { return false }
        self.partial = partial
        return true
    }

    /// Whether the answer of the current hop has begun.
    var hasAnswerBegun: Bool { firstByteAt != nil }

    private var mayGoOn: Bool { partial == nil && !mustStartOver && plan.upload == nil && conditions.isEmpty }

    /// A hop begins.
    func beginHop() {
        disk?.discard()
        disk = nil
        body = BodyStore()
        keptValidator = nil
        plan.upload?.rewind()
        if mayGoOn, let own = plan.partial, own.address == address.text { partial = own }
        let part = partial.map {
            ResponseIntake.Part(offset: $0.body.count, total: $0.total, validator: $0.validator)
        }
        intake = ResponseIntake(limits: plan.limits, part: part, isUpload: plan.upload != nil)
        firstByteAt = nil
    }

    // MARK: What a cache says and hears

    /// The header lines that make the current hop's request conditional.
    var conditions: [String] { plan.exchange?.validators?.lines(for: address.text) ?? [] }

    /// Notes what the answer of the current hop says to caches.
    private func noteFields(of handle: EasyHandle) {
        guard plan.exchange != nil else { return }
        var exchange = self.exchange ?? CacheExchange.Answer()
        exchange.address = address.text
        exchange.isPrivate = exchange.isPrivate || address.hasCredentials
        if let remoteAddress {
            exchange.places.append(.init(host: address.host, address: "\(remoteAddress)"))
        }
        switch intake.verdict {
        case .redirect:
            let status = handle.long(CURLINFO_RESPONSE_CODE)
            exchange.redirects.append(.init(status: status, fields: handle.fields))
        // The whole is what is kept: these two are about the part that completed it (RFC 9111, 3.4).
        case .part: exchange.fields = handle.fields.without(["content-range", "content-length"])
        default: exchange.fields = handle.fields
        }
        self.exchange = exchange
    }

    // MARK: Callbacks

    /// Whether a connection to `target` is one for this transfer.
    func mayReach(_ peer: IPAddress) -> Bool {
        // A name can have many addresses. Those that may be reached are tried, and if none of them answers it is told
        // that there are others.
        let host = address.host
        if let range = plan.addressGuard.refusal(of: peer, host: host, for: target), !isProxy(range) {
            refusal = range
            return false
        }
        // What has gone on to the internet does not come back.
        if host == target.host || !AddressRange.isSpecial(peer) {
            target = AddressGuard.Target(host: host, address: peer)
        }
        remoteAddress = peer
        return true
    }

    /// Whether a connection into a range is taken for one to a proxy, which the person at this machine has chosen.
    private func isProxy(_ range: AddressRange) -> Bool {
        range.reach == .special && plan.addressGuard.allowsProxy && handle?.hasProxy(for: address.scheme) == true
    }

    func beginExchange(at now: Instant) {
        refusal = nil
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
            noteFields(of: handle)
            takeUpPartial(isPart: intake.verdict == .part)
            for observer in observers { tellBeginning(observer) }
            if plan.upload?.isSent == true { timer.end(within: .seconds(1), at: now) }
        // Such a body is read for the sake of the connection only, which is not worth waiting for.
        case .failure(.http):
            timer.end(within: .seconds(1), at: now)
            noteFields(of: handle)
        case .failure, .restart: timer.end(within: .seconds(1), at: now)
        case .redirect:
            timer.end(within: .seconds(1), at: now)
            noteFields(of: handle)
        case nil: break
        }
        return goesOn
    }

    func receiveBody(_ piece: UnsafeRawBufferPointer, at now: Instant) -> ResponseIntake.PieceAction {
        timer.hear(at: now)
        // What a server says about an upload is not for anybody.
        if plan.upload != nil { return .discard }
        if awaitedSnapshots > 0 || disk?.isFull() == true {
            state = .paused
            timer.stop(at: now)
            return .pause
        }
        let action = intake.piece(count: piece.count) { plan.flow?.mayReceive(upTo: $0) ?? true }
        switch action {
        case .store:
            do throws(TransferError) {
                try store(piece)
            } catch {
                storageError = error
                return .stop
            }
        case .pause:
            state = .paused
            timer.stop(at: now)
        case .discard, .stop:
            break
        }
        return action
    }

    /// The plan's header lines that the current hop may see.
    var headers: [String] { hasLeftOrigin ? plan.headers.filter(RequestFields.mayCross) : plan.headers }

    /// Gives out more of the body that is sent.
    func sendBody(into buffer: UnsafeMutableRawBufferPointer, at now: Instant) -> Int? {
        timer.hear(at: now)
        guard let upload = plan.upload else { return nil }
        do throws(TransferError) {
            return try upload.read(into: buffer)
        } catch {
            storageError = error
            return nil
        }
    }

    private func store(_ piece: UnsafeRawBufferPointer) throws(TransferError) {
        if disk == nil {
            let needed = max(intake.expected ?? 0, body.count + piece.count)
            if needed > plan.maxBytesInMemory {
                try moveToDisk()
            } else {
                body.reserve(min(needed, Self.largestReservation))
            }
        }
        let offset = disk?.count ?? body.count
        if let disk { try disk.append(Data(piece)) } else { try body.append(piece) }
        receivedSoFar.store(offset + piece.count, ordering: .relaxed)
        for observer in observers { observer.bodyContinued(piece, at: offset, expected: intake.expected) }
    }

    /// Goes on in a file: one that can be found again, if there is a use for it.
    private func moveToDisk() throws(TransferError) {
        let partials = address.isSecret ? nil : storage.partials
        let (text, validator, total, folder) = (address.text, validator(), intake.expected, storage.temporaryFolder)
        let disk = DiskBody(on: storage.queue) { () throws(TransferError) in
            if let partials, let validator, let file = partials.make(text, validator: validator, total: total) {
                return file
            }
            return try BodyFile(temporaryIn: folder)
        } whenDrained: { [weak self] in
            self?.wake()
        }
        try disk.append(body.take())
        self.disk = disk
    }

    /// The answer to a request for a part, or for the whole although a part is there, is about to bring its body.
    private func takeUpPartial(isPart: Bool) {
        if isPart, let partial {
            keptValidator = partial.validator
            if let file = partial.body.file {
                disk = DiskBody(file, on: storage.queue) { [weak self] in self?.wake() }
            } else {
                body = partial.body
            }
        } else {
            discard(partial)
        }
        // With the body it is told again what remains of it.
        partial = nil
    }

    /// What proves that a later answer is about the same bytes; nil if they cannot be gone on with.
    private func validator() -> StrongValidator? {
        guard let handle, !intake.isEncoded, handle.header("Accept-Ranges")?.lowercased() != "none" else { return nil }
        return StrongValidator(
            entityTag: handle.header("ETag"), lastModified: handle.header("Last-Modified"), date: handle.header("Date"))
    }

    /// What a later attempt can go on with, taken out of this one; without the bytes where they are on disk, which
    /// ``takeDisk()`` has.
    func takePartial() -> PartialBody? {
        defer {
            partial = nil
            body = BodyStore()
        }
        guard intake.verdict == .body || intake.verdict == .part else {
            // Nothing came, so what was there before is still good, if it is not from an earlier hop.
            return partial ?? (mustStartOver ? nil : plan.partial)
        }
        guard plan.upload == nil, storageError == nil, (disk?.count ?? body.count) > 0,
            let validator = validator() ?? keptValidator
        else {
            dropBody()
            return nil
        }
        return PartialBody(
            address: address.text, isSecret: address.isSecret, validator: validator, total: intake.expected,
            body: body)
    }

    /// The body on disk, if it is there, taken out of this transfer.
    func takeDisk() -> DiskBody? { disk.take() }

    /// Forgets the body, also where it is on disk.
    func dropBody() {
        disk?.discard()
        disk = nil
        body = BodyStore()
        partial = nil
    }

    /// Removes what was kept, where it is on disk.
    private func discard(_ partial: PartialBody?) {
        guard let file = partial?.body.file else { return }
        storage.queue.addOperation { file.discard() }
    }

    private func head(of handle: EasyHandle) -> ResponseIntake.Head {
        let codings = ContentCodings(handle.headers("Content-Encoding"))
        if codings.isUnknown { handle.stopDecoding() }
        let length = BodyLength(
            handle.headers("Content-Length"), hasTransferEncoding: handle.header("Transfer-Encoding") != nil)
        return ResponseIntake.Head(
            status: handle.long(CURLINFO_RESPONSE_CODE), contentLength: length.count, lengthFault: length.fault,
            isEncoded: codings.isEncoded,
            location: handle.headerBytes("Location"),
            contentRange: partial == nil ? nil : handle.header("Content-Range"),
            entityTag: partial == nil ? nil : handle.header("ETag"), isConditional: !conditions.isEmpty)
    }

    // MARK: Observers

    /// Shows the body to one more, or to one again from its beginning.
    func observe(_ observer: any BodyObserver) {
        if !observers.contains(where: { $0 === observer }) { observers.append(observer) }
        if state == .running || state == .paused, intake.verdict == .body || intake.verdict == .part {
            tellBeginning(observer)
        }
    }

    private func tellBeginning(_ observer: any BodyObserver) {
        // Without its beginning nobody can make anything of the rest, which its offset tells.
        guard let disk else {
            observer.bodyBegan(with: (try? body.snapshot()) ?? Data(), expected: intake.expected)
            return
        }
        awaitedSnapshots += 1
        disk.snapshot { [bring] bytes in bring(bytes, observer) }
    }

    /// What the disk had for an observer is there. Says whether the transfer may go on.
    func show(_ bytes: Data, to observer: any BodyObserver) -> Bool {
        awaitedSnapshots -= 1
        if state == .running || state == .paused { observer.bodyBegan(with: bytes, expected: intake.expected) }
        return awaitedSnapshots == 0
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
        if metStaleConnection {
            metStaleConnection = false
            needsFreshConnection = true
            return .again
        }
        if let storageError { return .finish(.failure(storageError)) }
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
        case .body where plan.upload?.isSent == true:
            // It was taken, whatever became of the words about it.
            return .finish(Result { () throws(TransferError) in try response(at: now) })
        case .body, .part:
            if let error = failure(true, true) { return .finish(.failure(error)) }
            // A part without a length of its own can end anywhere.
            if intake.isIncomplete { return .finish(.failure(.truncated)) }
            return .finish(Result { () throws(TransferError) in try response(at: now) })
        case nil:
            if let refusal { return .finish(.failure(.forbiddenAddress(refusal))) }
            let error = failure(false, firstByteAt != nil)
            return .finish(.failure(error ?? .protocolViolation("the answer has no complete head")))
        }
    }

    private func redirect(to location: [UInt8]) -> Next {
        redirects += 1
        guard redirects <= plan.limits.maxRedirects else {
            return .finish(.failure(.tooManyRedirects(limit: plan.limits.maxRedirects)))
        }
        let isProxied = handle?.hasProxy(for: address.scheme) == true
        do throws(TransferError) {
            address = try redirected(to: location)
            if address.origin != plan.address.origin { hasLeftOrigin = true }
            if isProxied {
                // It was the proxy that answered. Whose name is public has its place on the internet.
                let next = AddressGuard.Target(host: address.host)
                target = next.isPrivate ? AddressGuard.Target(host: target.host) : next
            }
            try plan.addressGuard.check(address, for: target)
        } catch {
            return .finish(.failure(error))
        }
        needsFreshConnection = false
        mustStartOver = false
        hasLookedUp = false
        partial = nil
        return .redirect
    }

    private func redirected(to location: [UInt8]) throws(TransferError) -> WebAddress {
        do throws(WebAddress.ParsingError) {
            return try address.redirected(to: location)
        } catch {
            throw TransferError(error)
        }
    }

    private func response(at now: Instant) throws(TransferError) -> DownloadResponse {
        let isPart = intake.verdict == .part
        // A finished transfer may live on for a while, and must not keep the bytes then. Those on disk come later.
        let bytes = try body.take()
        return DownloadResponse(
            body: bytes, address: .web(address.withoutCredentials),
            // A part completes the whole.
            statusCode: isPart ? 200 : handle?.long(CURLINFO_RESPONSE_CODE) ?? 200, contentType: contentType,
            remoteAddress: remoteAddress, metrics: metrics(at: now), exchange: exchange)
    }

    /// What it took so far.
    func metrics(at now: Instant) -> TransferMetrics {
        var metrics = TransferMetrics(
            timeToFirstByte: startedAt.duration(to: firstByteAt ?? now), total: startedAt.duration(to: now),
            bytesReceived: handle?.bytesReceived ?? 0)
        metrics.redirects = redirects
        metrics.bytesSent = plan.upload?.sent.load(ordering: .relaxed) ?? 0
        guard let handle else { return metrics }
        metrics.httpVersion =
            switch CUnsignedInt(truncatingIfNeeded: handle.long(CURLINFO_HTTP_VERSION)) {
            case UInt32(CURL_HTTP_VERSION_1_0): .http10
            case UInt32(CURL_HTTP_VERSION_1_1): .http11
            case UInt32(CURL_HTTP_VERSION_2_0): .http2
            case UInt32(CURL_HTTP_VERSION_3): .http3
            default: nil
            }
        metrics.isConnectionReused = firstByteAt != nil && handle.long(CURLINFO_NUM_CONNECTS) == 0
        guard !metrics.isConnectionReused else { return metrics }
        // libcurl counts each of them from the start of the hop.
        let name = handle.microseconds(CURLINFO_NAMELOOKUP_TIME_T)
        let connect = handle.microseconds(CURLINFO_CONNECT_TIME_T)
        let handshake = handle.microseconds(CURLINFO_APPCONNECT_TIME_T)
        metrics.nameLookup = .microseconds(name)
        metrics.connect = .microseconds(max(0, connect - name))
        metrics.handshake = .microseconds(max(0, handshake - connect))
        return metrics
    }
}
