import Glibc

/// Which sockets are in use and which of them speak HTTP/2.
///
/// libcurl 7.88 takes bytes that were left on a kept-alive connection for the answer to the next request. Before a
/// request goes out over an idle HTTP/1 connection, nothing may be waiting there: whatever is readable is the end of
/// the connection or junk. HTTP/2 is different, there the server may speak at any time and frames say what is whose.
struct ConnectionLedger {
    private var users: [Int32: Int] = [:]
    private var multiplexed: Set<Int32> = []

    /// Whether a request may go out over `socket`, which then counts as in use until ``release(_:isHTTP2:)``.
    mutating func mayUse(_ socket: Int32, isReused: Bool) -> Bool {
        guard socket >= 0 else { return true }
        if isReused {
            // Only HTTP/2 shares a connection between requests.
            if users[socket, default: 0] > 0 { multiplexed.insert(socket) }
            if !multiplexed.contains(socket) && Self.isReadable(socket) { return false }
        } else {
            // A new connection under a number that an old one may have had.
            multiplexed.remove(socket)
        }
        users[socket, default: 0] += 1
        return true
    }

    /// A request over `socket` is done.
    mutating func release(_ socket: Int32, isHTTP2: Bool) {
        if isHTTP2 { multiplexed.insert(socket) }
        if let count = users[socket], count > 1 {
            users[socket] = count - 1
        } else {
            users[socket] = nil
        }
    }

    /// Whether bytes, the end or an error wait on a socket.
    private static func isReadable(_ socket: Int32) -> Bool {
        var byte: UInt8 = 0
        let count = recv(socket, &byte, 1, Int32(MSG_PEEK) | Int32(MSG_DONTWAIT))
        return count >= 0 || (errno != EAGAIN && errno != EINTR)
    }
}
