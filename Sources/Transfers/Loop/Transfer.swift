import CCurl

import struct FoundationEssentials.Data
import struct FoundationEssentials.URL

/// One attempt at a download over HTTP.
///
/// Belongs to the event thread from the moment it is submitted to its ``TransferLoop``; other threads only pass it
/// back there with a command. That is what makes `@unchecked Sendable` true.
final class Transfer: @unchecked Sendable {
    typealias Instant = SuspendingClock.Instant

    enum State {
        case waiting
        case running
        case paused
        case done
    }

    let operation: DownloadOperation
    let limits: TransferLimits
    var state = State.waiting
    /// The address of the current hop.
    private(set) var address: CurlAddress
    /// Whose place in the schedule it takes while it runs.
    var occupiedOrigin: CurlAddress.Origin
    var handle: EasyHandle?
    var timer: TransferTimer
    /// Its place among the loop's running transfers.
    var index = 0
    /// Whether an idle connection has already let this transfer down.
    private(set) var needsFreshConnection = false
    /// Set by the check before a request is sent, for the loop to see when libcurl reports the end of it.
    var metStaleConnection = false

    /// Which places it may lead to.
    let addressGuard: AddressGuard
    /// The range that the guard refused, for the loop to see when libcurl reports the end of it.
    private var refusal: AddressRange?
    private var remoteAddress: IPAddress?

    private let flow: (any TransferFlow)?
    private let startedAt: Instant
    private var firstByteAt: Instant?
    private var intake: ResponseIntake
    private var body = Data()
    private var redirects = 0
    private var contentType: String?
    /// What a cache hears, if it listens.
    private var exchange: CacheExchange.Answer?

    /// The most that is reserved on a server's word alone.
    private static let largestReservation = 1 << 20

    init(operation: DownloadOperation, address: CurlAddress, at now: Instant) {
        self.operation = operation
        self.address = address
        occupiedOrigin = address.origin
        limits = operation.request.limits
        flow = operation.request.flow
        addressGuard = operation.request.addressGuard
        intake = ResponseIntake(limits: limits)
        startedAt = now
        timer = TransferTimer(limits: limits, at: now)
    }

    // MARK: What a cache says and hears

    /// The header lines that make the current hop's request conditional.
    var conditions: [String] { operation.request.exchange?.validators?.lines(for: address.text) ?? [] }

    /// Notes what the answer of the current hop says to caches.
    private func noteFields(of handle: EasyHandle, isRedirect: Bool) {
        guard operation.request.exchange != nil else { return }
        var exchange = self.exchange ?? CacheExchange.Answer()
        exchange.address = address.text
        exchange.isPrivate = exchange.isPrivate || address.hasCredentials
        if let remoteAddress {
            exchange.places.append(.init(host: address.origin.host, address: "\(remoteAddress)"))
        }
        if isRedirect {
            let status = handle.long(CURLINFO_RESPONSE_CODE)
            exchange.redirects.append(.init(status: status, fields: handle.fields))
        } else {
            exchange.fields = handle.fields
        }
        self.exchange = exchange
    }

    // MARK: Callbacks

    /// Whether a connection to `target` is one for this transfer.
    func mayReach(_ target: IPAddress) -> Bool {
        // A name can have many addresses. Those that may be reached are tried, and if none of them answers it is told
        // that there are others.
        if let range = addressGuard.refusal(of: target, host: address.origin.host) {
            refusal = range
            return false
        }
        remoteAddress = target
        return true
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
        case .body:
            contentType = handle.header("Content-Type")
            noteFields(of: handle, isRedirect: false)
        // Such a body is read for the sake of the connection only, which is not worth waiting for.
        case .failure: timer.end(within: .seconds(1), at: now)
        case .redirect:
            timer.end(within: .seconds(1), at: now)
            noteFields(of: handle, isRedirect: true)
        case nil: break
        }
        return goesOn
    }

    func receiveBody(_ piece: UnsafeRawBufferPointer, at now: Instant) -> ResponseIntake.PieceAction {
        timer.hear(at: now)
        let action = intake.piece(count: piece.count) { flow?.mayReceive(upTo: $0) ?? true }
        switch action {
        case .store:
            if body.isEmpty, let expected = intake.expected {
                body.reserveCapacity(min(expected, Self.largestReservation))
            }
            body.append(contentsOf: piece)
        case .pause:
            state = .paused
            timer.stop(at: now)
        case .discard, .stop:
            break
        }
        return action
    }

    private func head(of handle: EasyHandle) -> ResponseIntake.Head {
        let encoding = handle.header("Content-Encoding")?.lowercased()
        return ResponseIntake.Head(
            status: handle.long(CURLINFO_RESPONSE_CODE),
            contentLength: handle.header("Transfer-Encoding") == nil
                ? handle.header("Content-Length").flatMap { Int($0) } : nil,
            isEncoded: encoding != nil && encoding != "identity",
            location: handle.header("Location"), isConditional: !conditions.isEmpty)
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
        switch intake.verdict {
        case .failure(let error):
            // Whatever happened while its body was thrown away, the answer was already clear.
            return .finish(.failure(error))
        case .redirect(let location):
            return redirect(to: location)
        case .body:
            if let error = failure(true, true) { return .finish(.failure(error)) }
            return .finish(.success(response(at: now)))
        case nil:
            if let refusal { return .finish(.failure(.forbiddenAddress(refusal))) }
            let error = failure(false, firstByteAt != nil)
            return .finish(.failure(error ?? .protocolViolation("the answer has no complete head")))
        }
    }

    private func redirect(to location: String) -> Next {
        redirects += 1
        guard redirects <= limits.maxRedirects else {
            return .finish(.failure(.tooManyRedirects(limit: limits.maxRedirects)))
        }
        do throws(TransferError) {
            address = try address.redirected(to: location)
            try addressGuard.check(address)
        } catch {
            return .finish(.failure(error))
        }
        needsFreshConnection = false
        intake = ResponseIntake(limits: limits)
        firstByteAt = nil
        return .redirect
    }

    private func response(at now: Instant) -> DownloadResponse {
        // A finished transfer may live on for a while, and must not keep the bytes then.
        defer { body = Data() }
        let metrics = DownloadResponse.Metrics(
            timeToFirstByte: startedAt.duration(to: firstByteAt ?? now), total: startedAt.duration(to: now),
            bytesReceived: handle?.bytesReceived ?? body.count)
        return DownloadResponse(
            body: body, url: address.publicURL ?? operation.request.url,
            statusCode: handle?.long(CURLINFO_RESPONSE_CODE) ?? 200, contentType: contentType,
            remoteAddress: remoteAddress, metrics: metrics, exchange: exchange)
    }
}
