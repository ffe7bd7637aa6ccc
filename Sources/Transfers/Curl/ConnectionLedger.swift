import CCurl
import Glibc

/// Which sockets libcurl has open, which are in use and which of them speak HTTP/2.
///
/// libcurl 7.88 takes bytes that were left on a kept-alive connection for the answer to the next request. Before a
/// request goes out over an idle HTTP/1 connection, nothing may be waiting there: whatever is readable is the end of
/// the connection or junk. HTTP/2 is different, there the server may speak at any time and frames say what is whose.
///
/// At that moment libcurl tells a connection's addresses and not its socket (`CURLINFO_ACTIVESOCKET` is still empty),
/// so sockets are opened and closed here. Belongs to the event thread.
final class ConnectionLedger {
    /// The two ends of a connection, as libcurl names them.
    struct Route: Hashable {
        var remote: IPAddress
        var remotePort: Int32
        var localPort: Int32
    }

    private struct Connection {
        var route: Route
        /// Requests that are under way.
        var users = 0
        var isMultiplexed = false

        /// Takes it for one more request, if it is fit for one.
        mutating func take(isReused: Bool, isQuiet: () -> Bool) -> Bool {
            if isReused {
                // Only HTTP/2 shares a connection between requests.
                if users > 0 { isMultiplexed = true }
                guard isMultiplexed || isQuiet() else { return false }
            }
            users += 1
            return true
        }

        mutating func leave(isHTTP2: Bool) {
            // The number may have been another connection's, which nobody has asked over yet.
            guard users > 0 else { return }
            if isHTTP2 { isMultiplexed = true }
            users -= 1
        }
    }

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

    /// The socket over which a request may go out, nil if the connection is not fit for one.
    ///
    /// It counts as in use until ``release(_:isHTTP2:)``.
    func claim(_ route: Route, isReused: Bool) -> Int32? {
        guard let socket = sockets[route] ?? name(route) else {
            // A connection that cannot be looked at is only trusted while it is new.
            return isReused ? nil : -1
        }
        let isFit = connections[socket, default: Connection(route: route)].take(isReused: isReused) {
            !Self.isReadable(socket)
        }
        return isFit ? socket : nil
    }

    /// A request over `socket` is done.
    func release(_ socket: Int32, isHTTP2: Bool) {
        // It may have been closed meanwhile.
        connections[socket]?.leave(isHTTP2: isHTTP2)
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

    /// Whether bytes, the end or an error wait on a socket.
    private static func isReadable(_ socket: Int32) -> Bool {
        var byte: UInt8 = 0
        let count = recv(socket, &byte, 1, Int32(MSG_PEEK) | Int32(MSG_DONTWAIT))
        return count >= 0 || (errno != EAGAIN && errno != EINTR)
    }
}
