import CCurl
import Glibc

/// The sockets of idle connections, of which the system tells when something arrives, by epoll: a wait takes no longer the more of them
/// there are. Belongs to the event thread.
final class IdleSockets {
    private struct Socket {
        var isWatched = false
        /// Whether the system has been asked to tell of it.
        var isRegistered = false
        /// Whether it is among those that have changed.
        var isChanged = false
    }

    /// How many one wait tells of; the next one tells of the others.
    private static let most = 64

    /// -1 as long as the system has no room for it: nothing is told then.
    private var poll: Int32 = -1
    /// By number: those are small.
    private var sockets: [Socket] = []
    private var changed: [Int32] = []

    deinit { if poll >= 0 { close(poll) } }

    func watch(_ socket: Int32) { change(socket) { $0.isWatched = true } }

    func unwatch(_ socket: Int32) {
        if sockets.indices.contains(Int(socket)), sockets[Int(socket)].isWatched {
            change(socket) { $0.isWatched = false }
        }
    }

    /// A socket is about to be closed. A child process may have it for a moment longer, and keep it among those that the system tells of.
    func willClose(_ socket: Int32) {
        unwatch(socket)
        if sockets.indices.contains(Int(socket)) { register(socket) }
    }

    /// Says at which sockets something has arrived, or the end. Those are not watched any more: they stay readable, and would end each wait
    /// at once.
    ///
    /// - Parameter wait: Waits also for a descriptor that becomes readable, if there is one, and says whether it did.
    func readable(after wait: (_ descriptor: Int32?) -> Bool) -> [Int32] {
        if poll < 0, !changed.isEmpty { poll = epoll_create1(Int32(EPOLL_CLOEXEC)) }
        if poll >= 0 {
            for socket in changed {
                sockets[Int(socket)].isChanged = false
                register(socket)
            }
            changed.removeAll(keepingCapacity: true)
        }
        guard wait(poll >= 0 ? poll : nil) else { return [] }
        let events = [epoll_event](unsafeUninitializedCapacity: Self.most) { buffer, count in
            guard let start = buffer.baseAddress else { return }
            count = max(0, Int(epoll_wait(poll, start, Int32(Self.most), 0)))
        }
        let readable = events.map { $0.data.fd }
        for socket in readable { unwatch(socket) }
        return readable
    }

    /// Notes a change. The system is asked before the next wait: most connections are in use again by then.
    private func change(_ socket: Int32, _ change: (inout Socket) -> Void) {
        let index = Int(socket)
        if index >= sockets.count { sockets += repeatElement(Socket(), count: index + 1 - sockets.count) }
        change(&sockets[index])
        if !sockets[index].isChanged {
            sockets[index].isChanged = true
            changed.append(socket)
        }
    }

    private func register(_ socket: Int32) {
        let entry = sockets[Int(socket)]
        guard entry.isWatched != entry.isRegistered else { return }
        var event = epoll_event(events: EPOLLIN.rawValue, data: epoll_data_t(fd: socket))
        let status = epoll_ctl(poll, entry.isWatched ? EPOLL_CTL_ADD : EPOLL_CTL_DEL, socket, &event)
        sockets[Int(socket)].isRegistered = entry.isWatched && status == 0
    }
}
