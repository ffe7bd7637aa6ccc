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
/// What comes even later cannot be told from an answer. A host that was once seen to send more than it was asked for
/// therefore gets a connection for each request.
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

    /// What there is on an idle connection.
    private enum Remains {
        case nothing
        /// The connection's end, or what only the TLS library can read.
        case unknown
        case junk
    }

    private struct Connection {
        var route: Route
        /// Which version the answers so far came in; nil before the first one.
        var isHTTP2: Bool?
        /// When the last answer ended; nil while one is expected.
        var endedAt: Instant?
    }

    /// How long after an answer bytes that nobody asked for belong to it. Later ones are how some servers say that
    /// they close an idle connection (status 408), which is no fault.
    private static let lingering = Duration.seconds(1)
    /// How many hosts are remembered for leaving junk behind.
    private static let longestMemory = 4_096

    /// Who left junk behind.
    private var untidy: Set<CurlAddress.Origin> = []
    private var unnamed: Set<Int32> = []
    private var sockets: [Route: Int32] = [:]
    private var connections: [Int32: Connection] = [:]

    // MARK: What libcurl opens and closes

    /// A socket for libcurl to connect to `address`; -1 if there is none.
    func open(_ address: curl_sockaddr) -> Int32 {
        let kind = address.socktype | Int32(SOCK_CLOEXEC.rawValue)
        let socket = Glibc.socket(address.family, kind, address.protocol)
        if socket >= 0 { unnamed.insert(socket) }
        return socket
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
        if let connection = connections.removeValue(forKey: socket) { sockets[connection.route] = nil }
    }

    // MARK: Requests

    /// The socket over which a request to `origin` may go out, nil if the connection is not fit for one.
    ///
    /// - Parameters:
    ///   - isReused: Whether the connection was there before.
    ///   - pending: How many bytes the TLS library has taken from the socket and nobody from it.
    func claim(
        _ route: Route, for origin: CurlAddress.Origin, isReused: Bool, at now: Instant, pending: () -> Int
    ) -> Int32? {
        guard let socket = sockets[route] ?? name(route) else {
            // A connection that cannot be looked at is only trusted while it is new.
            return isReused ? nil : -1
        }
        // Only one that speaks HTTP/2 is shared before its first answer.
        if isReused, connections[socket]?.isHTTP2 == false {
            let remains = pending() > 0 ? .junk : Self.remains(on: socket, isEncrypted: origin.scheme == "https")
            if remains == .junk, wasJustUsed(socket, at: now) { distrust(origin) }
            guard remains == .nothing else { return nil }
        }
        connections[socket]?.endedAt = nil
        return socket
    }

    /// An answer begins over `socket`. False if it cannot be the one to the request that was sent last.
    ///
    /// - Parameter mayBeOld: Whether the connection had been used before that request, and all of the request is sent
    ///   before an answer is due.
    func answerBegins(on socket: Int32, from origin: CurlAddress.Origin, isHTTP2: Bool, mayBeOld: Bool) -> Bool {
        connections[socket]?.isHTTP2 = isHTTP2
        // The system has read the acknowledgement that comes with an answer before it hands the answer out.
        guard mayBeOld, !isHTTP2, ccurl_unacknowledged(socket) > 0 else { return true }
        distrust(origin)
        return false
    }

    /// A request over `socket` is done.
    func release(_ socket: Int32, at now: Instant) {
        // It may have been closed meanwhile.
        connections[socket]?.endedAt = now
    }

    /// Whether a connection to a host may be used for more than one request.
    func mayReuse(_ origin: CurlAddress.Origin) -> Bool { untidy.isEmpty || !untidy.contains(origin) }

    private func wasJustUsed(_ socket: Int32, at now: Instant) -> Bool {
        // The next request may find an answer's connection before the end of that answer is heard of here.
        guard let end = connections[socket]?.endedAt else { return true }
        return end.duration(to: now) < Self.lingering
    }

    private func distrust(_ origin: CurlAddress.Origin) {
        if untidy.count >= Self.longestMemory { untidy = [] }
        untidy.insert(origin)
    }

    /// Finds the socket of a route that was not met before.
    private func name(_ route: Route) -> Int32? {
        guard let socket = unnamed.first(where: { Self.localPort(of: $0) == route.localPort }) else { return nil }
        unnamed.remove(socket)
        sockets[route] = socket
        connections[socket] = Connection(route: route)
        return socket
    }

    private static func localPort(of socket: Int32) -> Int32? {
        var address = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        let port: in_port_t? = withUnsafeMutablePointer(to: &address) { pointer in
            let status = pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                getsockname(socket, $0, &length)
            }
            guard status == 0 else { return nil }
            // The port is at the same place in both families.
            return pointer.withMemoryRebound(to: sockaddr_in.self, capacity: 1) { $0.pointee.sin_port }
        }
        return port.map { Int32(UInt16(bigEndian: $0)) }
    }

    /// What waits on a socket: bytes, the end or an error.
    private static func remains(on socket: Int32, isEncrypted: Bool) -> Remains {
        var byte: UInt8 = 0
        let count = recv(socket, &byte, 1, Int32(MSG_PEEK) | Int32(MSG_DONTWAIT))
        if count < 0, errno == EAGAIN || errno == EINTR { return .nothing }
        // TLS has messages of its own, such as tickets and the announcement that it ends.
        return count > 0 && !isEncrypted ? .junk : .unknown
    }
}
