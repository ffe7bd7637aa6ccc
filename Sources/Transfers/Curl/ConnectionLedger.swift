import CCurl
import Glibc

/// Which sockets libcurl has open, which of them speak HTTP/2, and which hosts leave junk behind on theirs.
///
/// libcurl 7.88 takes bytes that were left on a kept-alive connection for the answer to the next request. Before a
/// request goes out over an idle HTTP/1 connection, nothing may be waiting there: whatever is readable is the end of
/// the connection or junk. What arrives between that look and the request is junk too, and is told by the request,
/// which the server cannot have acknowledged yet. HTTP/2 is different, there the server may speak at any time and
/// frames say what is whose.
///
/// What comes even later cannot be told from an answer: where a second answer arrives after the next request was sent,
/// and acknowledged, that request gets it, be it the wrong picture. A host that was once seen to send more than it was
/// asked for therefore gets a connection for each request, and answers that are still due over older ones are not taken.
/// To see it early, the connections that have just become idle are watched.
///
/// When a request is about to be sent, libcurl tells a connection's addresses and not its socket
/// (`CURLINFO_ACTIVESOCKET` is still empty), so sockets are opened and closed here. Belongs to the event thread.
final class ConnectionLedger {
    typealias Instant = SteadyTime

    /// The two ends of a connection, as libcurl names them.
    struct Route: Hashable {
        var remote: IPAddress
        var remotePort: Int32
        var localPort: Int32
    }

    /// The use of a connection for one request.
    struct Claim {
        /// -1 for a new connection that cannot be looked at.
        var socket: Int32
        fileprivate var number: Int
    }

    /// What there is on an idle connection.
    private enum Remains {
        case nothing
        /// The connection's end, or what only the TLS library can read.
        case unknown
        case junk
    }

    private struct Connection {
        let route: Route
        /// Whom the last request was for.
        private(set) var origin: WebAddress.Origin
        /// Which version the answers so far came in; nil before the first one.
        private(set) var isHTTP2: Bool?
        /// Which claim was the last one.
        private(set) var claim = 0
        /// When the last answer ended; nil while one is expected.
        var endedAt: Instant?

        init(_ route: Route, for origin: WebAddress.Origin) { (self.route, self.origin) = (route, origin) }

        mutating func beginExchange(with origin: WebAddress.Origin, claim: Int) {
            self.origin = origin
            self.claim = claim
            endedAt = nil
        }

        /// Notes in which version an answer came. Says whether those before it came over HTTP/2.
        mutating func noteVersion(isHTTP2: Bool) -> Bool {
            defer { self.isHTTP2 = isHTTP2 }
            return self.isHTTP2 == true
        }
    }

    /// Connections by their sockets, which are small numbers: looking one up takes several times as long in a dictionary.
    private struct OpenConnections {
        private var table: [Connection?] = []

        subscript(socket: Int32) -> Connection? {
            _read {
                if table.indices.contains(Int(socket)) { yield table[Int(socket)] } else { yield nil }
            }
            _modify {
                if table.indices.contains(Int(socket)) {
                    yield &table[Int(socket)]
                } else {
                    var new: Connection?
                    yield &new
                    if new == nil { return }
                    table += repeatElement(nil, count: Int(socket) + 1 - table.count)
                    table[Int(socket)] = new
                }
            }
        }

        mutating func remove(_ socket: Int32) -> Connection? {
            table.indices.contains(Int(socket)) ? table[Int(socket)].take() : nil
        }
    }

    /// How long after an answer bytes that nobody asked for belong to it. Later ones are how some servers say that
    /// they close an idle connection (status 408), which is no fault.
    private static let lingering = Duration.seconds(1)
    /// The longest TLS record with type 23 that is a notice of TLS 1.3 and no data: the announcement of the end has 19
    /// bytes, a change of keys 22. Tickets are longer, but are sent before the first answer; a host that sends them later
    /// gets a connection for each request without need.
    private static let longestNotice = 24
    /// How many hosts are remembered for leaving junk behind.
    private static let longestMemory = 4_096

    /// Who left junk behind.
    private var untidy: Set<WebAddress.Origin> = []
    private var unnamed: Set<Int32> = []
    private var sockets: [Route: Int32] = [:]
    /// By socket.
    private var connections = OpenConnections()
    /// The idle connections on which nothing has arrived since their last answer.
    private let idle = IdleSockets()
    private var claimCount = 0
    /// How many connections are known to speak HTTP/2.
    private(set) var http2Count = 0

    // MARK: What libcurl opens and closes

    /// A socket for libcurl to connect, or the number of the error for which there is none.
    func open(family: Int32, kind: Int32, protocol: Int32) -> (socket: Int32?, error: Int32) {
        let socket = Glibc.socket(family, kind | Int32(SOCK_CLOEXEC.rawValue), `protocol`)
        guard socket >= 0 else { return (nil, errno) }
        unnamed.insert(socket)
        return (socket, 0)
    }

    /// Has libcurl report here which sockets of `easy` it closes. The ledger has to outlive the multi handle.
    func follow(_ easy: UnsafeMutableRawPointer) {
        let context = Unmanaged.passUnretained(self).toOpaque()
        ccurl_set_close_function(easy) { context, socket in
            if let context {
                Unmanaged<ConnectionLedger>.fromOpaque(context).takeUnretainedValue().closed(socket)
            }
            return close(socket)
        }
        ccurl_set_pointer(easy, CURLOPT_CLOSESOCKETDATA, context)
    }

    private func closed(_ socket: Int32) {
        unnamed.remove(socket)
        idle.willClose(socket)
        guard let connection = connections.remove(socket) else { return }
        if connection.isHTTP2 == true { http2Count -= 1 }
        sockets[connection.route] = nil
        // One that is closed amid an answer has the rest of that.
        if connection.endedAt != nil { look(at: socket, connection, at: .now) }
    }

    // MARK: Idle connections

    /// Calls `wait` with what to wait for beside libcurl's own sockets, and looks at those that became readable.
    func watch(while wait: (UnsafeMutablePointer<curl_waitfd>, UInt32) -> Void) {
        let readable = idle.readable { descriptor in
            var entry = curl_waitfd(fd: descriptor ?? -1, events: Int16(CURL_WAIT_POLLIN), revents: 0)
            wait(&entry, descriptor == nil ? 0 : 1)
            return entry.revents != 0
        }
        for socket in readable {
            guard let connection = connections[socket], look(at: socket, connection, at: .now) else { continue }
            // Of no use to anybody; the server hears of it now, libcurl when it looks for a connection.
            shutdown(socket, Int32(SHUT_RDWR))
        }
    }

    /// Whether there is junk on an idle connection, whose host is then known for it.
    @discardableResult
    private func look(at socket: Int32, _ connection: Connection, at now: Instant) -> Bool {
        guard connection.isHTTP2 == false, let end = connection.endedAt, end.duration(to: now) < Self.lingering,
            Self.remains(on: socket, isEncrypted: connection.origin.scheme == "https") == .junk
        else { return false }
        distrust(connection.origin)
        return true
    }

    // MARK: Requests

    /// The connection over which a request to `origin` may go out, nil if the connection is not fit for one.
    ///
    /// - Parameters:
    ///   - isReused: Whether the connection was there before.
    ///   - pending: How many bytes the TLS library has taken from the socket and nobody from it.
    func claim(
        _ route: Route, for origin: WebAddress.Origin, isReused: Bool, at now: Instant, pending: () -> Int
    ) -> Claim? {
        claimCount += 1
        guard let socket = sockets[route] ?? name(route, for: origin) else {
            // A connection that cannot be looked at is only trusted while it is new.
            return isReused ? nil : Claim(socket: -1, number: claimCount)
        }
        // Only one that speaks HTTP/2 is shared before its first answer.
        if isReused, connections[socket]?.isHTTP2 == false {
            // The connection may have been chosen before its host was known.
            guard mayReuse(origin) else { return nil }
            let remains = pending() > 0 ? .junk : Self.remains(on: socket, isEncrypted: origin.scheme == "https")
            if remains == .junk, wasJustUsed(socket, at: now) { distrust(origin) }
            guard remains == .nothing else { return nil }
        }
        idle.unwatch(socket)
        connections[socket]?.beginExchange(with: origin, claim: claimCount)
        return Claim(socket: socket, number: claimCount)
    }

    /// An answer begins over `socket`. False if it cannot be the one to the request that was sent last.
    ///
    /// - Parameter mayBeOld: Whether the connection had been used before that request, and all of the request is sent
    ///   before an answer is due.
    func answerBegins(on socket: Int32, from origin: WebAddress.Origin, isHTTP2: Bool, mayBeOld: Bool) -> Bool {
        if let before = connections[socket]?.noteVersion(isHTTP2: isHTTP2) {
            http2Count += (isHTTP2 ? 1 : 0) - (before ? 1 : 0)
        }
        guard mayBeOld, !isHTTP2 else { return true }
        // The system has read the acknowledgement that comes with an answer before it hands the answer out.
        guard !mayReuse(origin) || ccurl_unacknowledged(socket) > 0 else { return true }
        distrust(origin)
        return false
    }

    /// A request is done, and libcurl has closed its connection if that is good for no other.
    func release(_ claim: Claim, at now: Instant) {
        let socket = claim.socket
        // The next request may have got the connection before the end of this one was heard of; the socket's number may be
        // another connection's by now.
        guard connections[socket]?.claim == claim.number else { return }
        connections[socket]?.endedAt = now
        if connections[socket]?.isHTTP2 == false { idle.watch(socket) }
    }

    /// A whole answer of known length came over `socket`, behind which the server did not say that it closes. libcurl then
    /// closes the connection only if it has read more than that.
    func wasWhole(over socket: Int32, from origin: WebAddress.Origin) {
        if connections[socket] == nil { distrust(origin) }
    }

    /// Whether a connection to a host may be used for more than one request.
    func mayReuse(_ origin: WebAddress.Origin) -> Bool { untidy.isEmpty || !untidy.contains(origin) }

    private func wasJustUsed(_ socket: Int32, at now: Instant) -> Bool {
        // The next request may find an answer's connection before the end of that answer is heard of here.
        guard let end = connections[socket]?.endedAt else { return true }
        return end.duration(to: now) < Self.lingering
    }

    private func distrust(_ origin: WebAddress.Origin) {
        if untidy.count >= Self.longestMemory { untidy = [] }
        untidy.insert(origin)
    }

    /// Finds the socket of a route that was not met before. By both ends: the system gives one local port to several connections
    /// if they lead to different places.
    private func name(_ route: Route, for origin: WebAddress.Origin) -> Int32? {
        guard let socket = unnamed.first(where: { Self.route(of: $0) == route }) else { return nil }
        unnamed.remove(socket)
        sockets[route] = socket
        connections[socket] = Connection(route, for: origin)
        return socket
    }

    /// Where a socket leads; nil before it is connected.
    private static func route(of socket: Int32) -> Route? {
        guard let local = end(of: socket, getsockname), let remote = end(of: socket, getpeername) else { return nil }
        return Route(remote: remote.address, remotePort: remote.port, localPort: local.port)
    }

    /// The end of a connection that a function of the system tells.
    private static func end(
        of socket: Int32, _ name: (Int32, UnsafeMutablePointer<sockaddr>, UnsafeMutablePointer<socklen_t>) -> Int32
    ) -> (address: IPAddress, port: Int32)? {
        var storage = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        return withUnsafeMutablePointer(to: &storage) { pointer in
            let status = pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { name(socket, $0, &length) }
            guard status == 0, let address = IPAddress(socketAddress: pointer) else { return nil }
            // The port is at the same place in both families.
            let port = pointer.withMemoryRebound(to: sockaddr_in.self, capacity: 1) { $0.pointee.sin_port }
            return (address, Int32(UInt16(bigEndian: port)))
        }
    }

    /// What waits on a socket: bytes, the end or an error.
    private static func remains(on socket: Int32, isEncrypted: Bool) -> Remains {
        // A TLS record begins with its type, a version and the length of the rest.
        var head: (UInt8, UInt8, UInt8, UInt8, UInt8) = (0, 0, 0, 0, 0)
        let size = MemoryLayout.size(ofValue: head)
        let count = recv(socket, &head, size, Int32(MSG_PEEK) | Int32(MSG_DONTWAIT))
        if count < 0, errno == EAGAIN || errno == EINTR { return .nothing }
        guard count > 0 else { return .unknown }
        guard isEncrypted else { return .junk }
        // TLS has messages of its own. In TLS 1.3 all are of the type of data, which is 23.
        let length = Int(head.3) << 8 | Int(head.4)
        return count == size && head.0 == 23 && length > longestNotice ? .junk : .unknown
    }
}
