import CCurl
import Glibc

/// A libcurl easy handle with the options that all transfers share; used again and again on the event thread.
///
/// What callbacks touch is not checked for overlapping accesses.
final class EasyHandle {
    let pointer: UnsafeMutableRawPointer
    /// Whom the callbacks serve at present.
    @exclusivity(unchecked) private(set) var transfer: Transfer?
    private let loop: Unmanaged<TransferLoop>
    private let errorText: UnsafeMutablePointer<CChar>
    private let proxies: ProxyRules
    /// Which directives in answers count, and what we are called there.
    let respected: Set<String>
    let token: String
    /// Request headers of the current hop beside libcurl's own.
    private var headers: UnsafeMutablePointer<curl_slist>?
    /// Whether these are those of each request.
    private var hasOwnHeaders = false
    /// Addresses of names that nobody is asked for.
    private let resolved: UnsafeMutablePointer<curl_slist>?
    /// What it was last set to; options with text are copied each time.
    private var url = ""
    private var proxy: String?
    private var exceptions: String?
    /// The connection that the current request was sent over.
    @exclusivity(unchecked) private(set) var claim: ConnectionLedger.Claim?
    /// Whether an answer is expected over a connection on which something may have been left behind.
    @exclusivity(unchecked) private var mayGetOldAnswer = false
    /// Whether the head of the current answer has begun.
    @exclusivity(unchecked) private var hasAnswerBegun = false
    /// What the current hop's answers have had for fields.
    @exclusivity(unchecked) private(set) var seenNames = FieldNames()
    /// Whether libcurl looks up the name for the current hop, as far as is known.
    @exclusivity(unchecked) private(set) var isLookingUp = false
    /// The place of a look-up that goes on although its transfer is over.
    @exclusivity(unchecked) private(set) var abandonedLookUp: TransferLoop.Schedule.LookUp?
    /// Whether it cannot serve another transfer.
    private(set) var isUsedUp = false

    init?(loop: TransferLoop, configuration: TransferClient.Configuration) {
        guard let pointer = curl_easy_init() else { return nil }
        self.pointer = pointer
        // The loop owns its handles, and outlives them.
        self.loop = .passUnretained(loop)
        proxies = ProxyRules(configuration)
        respected = configuration.respectedDirectives
        token = RobotsRules.token(of: configuration.userAgent.utf8)
        errorText = .allocate(capacity: Int(CURL_ERROR_SIZE))
        resolved = configuration.resolvedNames.reduce(nil) { curl_slist_append($0, $1) }
        errorText.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
        setUp(configuration)
    }

    deinit {
        curl_easy_cleanup(pointer)
        curl_slist_free_all(headers)
        curl_slist_free_all(resolved)
        errorText.deallocate()
    }

    private func setUp(_ configuration: TransferClient.Configuration) {
        let context = Unmanaged.passUnretained(self).toOpaque()
        ccurl_set_pointer(pointer, CURLOPT_PRIVATE, context)
        ccurl_set_pointer(pointer, CURLOPT_ERRORBUFFER, errorText)
        ccurl_set_long(pointer, CURLOPT_NOSIGNAL, 1)
        // A loop that ends would otherwise wait for the resolver where names are still being looked up, and so would one whose
        // libcurl gives up a look-up itself, with everything else on the event thread.
        ccurl_set_long(pointer, CURLOPT_QUICK_EXIT, 1)
        ccurl_set_string(pointer, CURLOPT_PROTOCOLS_STR, "http,https")
        // Redirects are followed by the loop, which has limits per host and checks each address.
        ccurl_set_long(pointer, CURLOPT_FOLLOWLOCATION, 0)
        ccurl_set_string(pointer, CURLOPT_USERAGENT, configuration.sentUserAgent)
        ccurl_set_long(pointer, CURLOPT_BUFFERSIZE, 32_768)
        ccurl_set_long(pointer, CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
        ccurl_set_long(pointer, CURLOPT_HTTP09_ALLOWED, 0)
        if resolved != nil { ccurl_set_pointer(pointer, CURLOPT_RESOLVE, resolved) }
        if let file = configuration.certificateAuthorities {
            ccurl_set_string(pointer, CURLOPT_CAINFO, file)
            ccurl_set_string(pointer, CURLOPT_PROXY_CAINFO, file)
        }
        ccurl_set_data_function(pointer, CURLOPT_HEADERFUNCTION) { bytes, size, count, context in
            let line = UnsafeRawBufferPointer(start: bytes, count: size * count)
            return EasyHandle.from(context)?.receiveHeader(line) ?? 0
        }
        ccurl_set_pointer(pointer, CURLOPT_HEADERDATA, context)
        ccurl_set_data_function(pointer, CURLOPT_WRITEFUNCTION) { bytes, size, count, context in
            let piece = UnsafeRawBufferPointer(start: bytes, count: size * count)
            return EasyHandle.from(context)?.receiveBody(piece) ?? Int(CURL_WRITEFUNC_ERROR)
        }
        ccurl_set_pointer(pointer, CURLOPT_WRITEDATA, context)
        ccurl_set_prereq_function(pointer) { context, remote, _, remotePort, localPort in
            guard let handle = EasyHandle.from(context), let remote else { return CURL_PREREQFUNC_ABORT }
            // Another transfer may have opened the connection.
            guard let address = IPAddress(text: remote) else { return CURL_PREREQFUNC_ABORT }
            let route = ConnectionLedger.Route(remote: address, remotePort: remotePort, localPort: localPort)
            return handle.aboutToSend(over: route) ? CURL_PREREQFUNC_OK : CURL_PREREQFUNC_ABORT
        }
        ccurl_set_pointer(pointer, CURLOPT_PREREQDATA, context)
        ccurl_set_open_function(pointer) { context, _, address in
            guard let handle = EasyHandle.from(context), let address else { return -1 }
            return handle.openSocket(to: address)
        }
        ccurl_set_pointer(pointer, CURLOPT_OPENSOCKETDATA, context)
        loop._withUnsafeGuaranteedRef { $0.connections.follow(pointer) }
        setHeaders([ContentCodings.acceptLine])
    }

    /// The handle behind the context of a callback.
    static func from(_ context: UnsafeMutableRawPointer?) -> EasyHandle? {
        context.map { Unmanaged<EasyHandle>.fromOpaque($0).takeUnretainedValue() }
    }

    /// Makes the handle ready for one hop of `transfer`.
    func attach(to transfer: Transfer) {
        self.transfer = transfer
        claim = nil
        hasAnswerBegun = false
        isLookingUp = transfer.turn?.lookUp != nil
        seenNames = FieldNames()
        errorText[0] = 0
        if transfer.address.text != url {
            url = transfer.address.text
            ccurl_set_string(pointer, CURLOPT_URL, url)
        }
        // Empty is none; nil would be what the environment says at this moment.
        let proxy = proxies.proxy(for: transfer.address.scheme, transfer.plan.addressGuard)
        if proxy != self.proxy {
            self.proxy = proxy
            ccurl_set_string(pointer, CURLOPT_PROXY, proxy)
        }
        let exceptions = proxies.exceptions(transfer.plan.addressGuard, isRedirected: transfer.redirects > 0)
        if exceptions != self.exceptions {
            self.exceptions = exceptions
            ccurl_set_string(pointer, CURLOPT_NOPROXY, exceptions)
        }
        if let upload = transfer.plan.upload {
            send(upload, headers: transfer.headers, asksFirst: transfer.asksFirst)
        } else {
            ask(for: transfer.partial, lines: transfer.headers + transfer.conditions)
        }
        limitConnecting(to: transfer.plan.limits.connectTimeout)
        let mayReuse = loop._withUnsafeGuaranteedRef { $0.connections.mayReuse(transfer.address.origin) }
        ccurl_set_long(pointer, CURLOPT_FRESH_CONNECT, transfer.needsFreshConnection || !mayReuse ? 1 : 0)
        ccurl_set_long(pointer, CURLOPT_FORBID_REUSE, mayReuse ? 0 : 1)
    }

    /// How much longer than a transfer libcurl waits for a connection where it looks up the name first.
    private static let lookUpGrace = Duration.seconds(1)

    /// Gives libcurl a limit for connecting, which it parts among the addresses of a name.
    ///
    /// Of a look-up for which it runs out, libcurl forgets the thread, which goes on until the resolver gives up. The transfer's own
    /// clock is therefore to be the first, so that the look-up is abandoned and its end is heard of.
    private func limitConnecting(to limit: Duration) {
        let limit = isLookingUp ? limit + Self.lookUpGrace : limit
        // Zero would mean libcurl's default of five minutes.
        ccurl_set_long(pointer, CURLOPT_CONNECTTIMEOUT_MS, max(1, limit.wholeMilliseconds))
    }

    /// Asks for the rest of a body, or the whole, with header lines or without.
    private func ask(for partial: PartialBody?, lines: [String]) {
        guard let partial else {
            guard hasOwnHeaders || !lines.isEmpty else { return }
            setHeaders([ContentCodings.acceptLine] + lines)
            hasOwnHeaders = !lines.isEmpty
            return
        }
        // Asked for without compression, as the beginning came, for a part of a compressed body is of no use.
        setHeaders(
            [
                "Range: bytes=\(partial.body.count)-", "If-Range: \(partial.validator.value)",
                "Accept-Encoding: identity",
            ] + lines)
        hasOwnHeaders = true
    }

    /// Sends a body to the current address. The handle is good for nothing else afterwards: it would have to be told to forget
    /// all of that.
    private func send(_ upload: UploadBody, headers: [String], asksFirst: Bool) {
        isUsedUp = true
        let context = Unmanaged.passUnretained(self).toOpaque()
        ccurl_set_long(pointer, CURLOPT_UPLOAD, 1)
        ccurl_set_offset(pointer, CURLOPT_INFILESIZE_LARGE, curl_off_t(upload.count))
        ccurl_set_read_function(pointer) { buffer, size, count, context in
            let room = UnsafeMutableRawBufferPointer(start: buffer, count: size * count)
            return EasyHandle.from(context)?.sendBody(into: room) ?? Int(CURL_READFUNC_ABORT)
        }
        ccurl_set_pointer(pointer, CURLOPT_READDATA, context)
        ccurl_set_seek_function(pointer) { context, offset, origin in
            guard origin == SEEK_SET, let upload = EasyHandle.from(context)?.transfer?.plan.upload else {
                return CURL_SEEKFUNC_CANTSEEK
            }
            upload.seek(to: Int(offset))
            return CURL_SEEKFUNC_OK
        }
        ccurl_set_pointer(pointer, CURLOPT_SEEKDATA, context)
        // libcurl asks with "Expect: 100-continue" whether the server wants the body, and waits for up to a second. A
        // small one is sent sooner than asked about. What it answers is not read, in whatever coding.
        setHeaders(asksFirst ? headers : headers + ["Expect:"])
    }

    private func sendBody(into buffer: UnsafeMutableRawBufferPointer) -> Int? {
        loop._withUnsafeGuaranteedRef { loop in transfer?.sendBody(into: buffer, at: loop.now) }
    }

    private func setHeaders(_ lines: [String]) {
        let old = headers
        headers = lines.reduce(nil) { curl_slist_append($0, $1) }
        ccurl_set_pointer(pointer, CURLOPT_HTTPHEADER, headers)
        curl_slist_free_all(old)
    }

    /// Ends the service for the current transfer.
    func detach() {
        transfer = nil
        claim = nil
    }

    /// Ends the service for the current transfer, for which libcurl looks up a name, and goes on with that alone.
    func abandon(_ lookUp: TransferLoop.Schedule.LookUp) {
        detach()
        abandonedLookUp = lookUp
        // libcurl, which reads it again when it looks at the time, would forget the look-up's thread when that has passed.
        ccurl_set_long(pointer, CURLOPT_CONNECTTIMEOUT_MS, 86_400_000)
    }

    /// libcurl is done with the hop, and has nothing to look up any more.
    func hopEnded() { isLookingUp = false }

    /// Takes out the look-up that went on without its transfer, which is over; nil where there was none.
    func takeAbandonedLookUp() -> TransferLoop.Schedule.LookUp? { abandonedLookUp.take() }

    /// Whether there is a proxy for addresses of a scheme. Some hosts may be excepted; they are those that somebody at this
    /// machine has named as well.
    func hasProxy(for scheme: String, _ addressGuard: AddressGuard) -> Bool {
        !proxies.proxy(for: scheme, addressGuard).isEmpty
    }

    /// Whether the current answer came through a proxy. Where hosts are excepted, the port of the connection tells.
    func wasProxied(_ scheme: String, _ addressGuard: AddressGuard) -> Bool {
        guard hasProxy(for: scheme, addressGuard) else { return false }
        guard exceptions?.isEmpty == false, let port = proxies.port(for: scheme, addressGuard) else { return true }
        return long(CURLINFO_PRIMARY_PORT) == port
    }

    // MARK: What libcurl knows

    /// libcurl's sentence about the last failure.
    var errorMessage: String {
        let text = String(cString: errorText)
        // It would go on with the whole of what the environment says, which may have a password in it.
        return text.hasPrefix("Unsupported proxy") ? "the address of the proxy is none" : text
    }

    func long(_ info: CURLINFO) -> Int {
        var value = 0
        ccurl_get_long(pointer, info, &value)
        return value
    }

    /// How long the server asks to wait, at most ten years; nil if it does not.
    var retryAfter: Duration? { header("Retry-After").flatMap { RetryAfter.wait($0, now: time(nil)) } }

    // MARK: Callbacks, on the event thread from within libcurl

    private func receiveHeader(_ line: UnsafeRawBufferPointer) -> Int {
        guard let transfer else { return 0 }
        if !hasAnswerBegun {
            guard answerBegins(line) else { return 0 }
        }
        seenNames.insert(line: line)
        loop._withUnsafeGuaranteedRef { $0.received(of: transfer) }
        let isEmptyLine = line.first == UInt8(ascii: "\r") || line.first == UInt8(ascii: "\n")
        let goesOn = loop._withUnsafeGuaranteedRef { loop in
            let goesOn = transfer.receiveHeader(count: line.count, isEmptyLine: isEmptyLine, at: loop.now)
            if isEmptyLine { loop.lookAgain(at: transfer) }
            return goesOn
        }
        return goesOn ? line.count : 0
    }

    /// The first line of an answer arrived. Says whether to go on.
    private func answerBegins(_ line: UnsafeRawBufferPointer) -> Bool {
        hasAnswerBegun = true
        guard let transfer, let socket = claim?.socket else { return true }
        let isHTTP2 = line.starts(with: "HTTP/2".utf8)
        let isItsOwn = loop._withUnsafeGuaranteedRef { loop in
            loop.connections.answerBegins(
                on: socket, from: transfer.address.origin, isHTTP2: isHTTP2, mayBeOld: mayGetOldAnswer)
        }
        if !isItsOwn { transfer.metStaleConnection = true }
        return isItsOwn
    }

    private func receiveBody(_ piece: UnsafeRawBufferPointer) -> Int {
        guard let transfer else { return Int(CURL_WRITEFUNC_ERROR) }
        let action = loop._withUnsafeGuaranteedRef { loop in
            loop.received(of: transfer)
            return transfer.receive(piece, at: loop.now) { bytes in
                guard loop.mayComeIn(of: transfer) else { return .pause }
                let action = transfer.receiveBody(bytes, at: loop.now)
                // Only now: what is held back is shown again.
                if action == .store || action == .discard { loop.byteRate?.take(bytes.count) }
                return action
            }
        }
        switch action {
        case .store, .discard: return piece.count
        case .pause: return Int(CURL_WRITEFUNC_PAUSE)
        case .stop: return Int(CURL_WRITEFUNC_ERROR)
        }
    }

    private func openSocket(to address: UnsafeMutablePointer<curl_sockaddr>) -> Int32 {
        isLookingUp = false
        // Nobody needs a connection for a look-up that went on without its transfer. The rest of a longer address follows the
        // structure.
        guard let transfer, let offset = MemoryLayout<curl_sockaddr>.offset(of: \.addr),
            let target = IPAddress(socketAddress: UnsafeRawPointer(address) + offset), transfer.mayReach(target)
        else { return -1 }
        return loop._withUnsafeGuaranteedRef { loop in
            loop.foundName(of: transfer)
            let address = address.pointee
            let (socket, error) = loop.connections.open(
                family: address.family, kind: address.socktype, protocol: address.protocol)
            transfer.shortage = Shortage(code: error)
            return socket ?? -1
        }
    }

    private func aboutToSend(over route: ConnectionLedger.Route) -> Bool {
        isLookingUp = false
        guard let transfer, transfer.mayReach(route.remote) else { return false }
        return loop._withUnsafeGuaranteedRef { loop in
            loop.foundName(of: transfer)
            let isReused = long(CURLINFO_NUM_CONNECTS) == 0
            let origin = transfer.address.origin
            claim = loop.connections.claim(route, for: origin, isReused: isReused, at: loop.now) {
                origin.scheme == "https" ? Int(ccurl_decrypted(pointer)) : 0
            }
            // A server may answer before it has all of an upload.
            mayGetOldAnswer = isReused && transfer.plan.upload == nil
            hasAnswerBegun = false
            guard claim != nil else {
                transfer.metStaleConnection = true
                return false
            }
            // libcurl itself sends a request again where a connection is lost that was kept alive.
            guard loop.maySend(transfer) else { return false }
            transfer.beginExchange(at: loop.now)
            loop.look(by: transfer.timer.deadline)
            return true
        }
    }
}
