import Foundation
import Glibc

/// One connection of a ``FaultServer``, used by its own thread only.
final class FaultConnection {
    /// The client has closed its end, or the server is being stopped.
    private(set) var isClosedByPeer = false
    /// What is sent before the next answer.
    var prefix: [UInt8] = []
    private let descriptor: Int32
    private let log: ServerLog
    /// `POLLRDHUP`, which Glibc only tells those who ask for GNU's additions.
    private static let peerClosed: Int16 = 0x2000
    private var pending: [UInt8] = []

    init(descriptor: Int32, log: ServerLog) {
        self.descriptor = descriptor
        self.log = log
    }

    /// The next request's head; nil at the end of the connection.
    func readHead() -> String? {
        let end = Array("\r\n\r\n".utf8)
        while true {
            if let range = pending.firstRange(of: end) {
                let head = String(decoding: pending[..<range.lowerBound], as: UTF8.self)
                pending.removeSubrange(..<range.upperBound)
                return head
            }
            guard pending.count < 1 << 20, receive() else { return nil }
        }
    }

    /// So many bytes of a request's body; fewer if the client closes before.
    func readBody(_ count: Int) -> [UInt8] {
        while pending.count < count, receive() {}
        let body = Array(pending.prefix(count))
        pending.removeFirst(body.count)
        return body
    }

    /// The same, piece by piece with pauses between, and with little room for what the client sends meanwhile.
    func readBodySlowly(_ count: Int, pause: Duration) -> [UInt8] {
        var room: Int32 = 16_384
        setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &room, socklen_t(MemoryLayout<Int32>.size))
        while pending.count < count, receive(), !log.update({ $0.isStopping }) {
            usleep(UInt32(pause / .microseconds(1)))
        }
        return readBody(count)
    }

    /// Sends all bytes; false if the client no longer takes them.
    @discardableResult
    func send(_ bytes: [UInt8]) -> Bool {
        var sent = 0
        while sent < bytes.count {
            let count = bytes[sent...].withUnsafeBytes {
                Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            if count < 0 && errno == EINTR { continue }
            guard count > 0 else {
                isClosedByPeer = true
                return false
            }
            sent += count
        }
        return true
    }

    /// Sends a text; false if the client no longer takes it.
    @discardableResult
    func send(_ text: String) -> Bool { send(Array(text.utf8)) }

    /// Sends what was kept for before the next answer.
    func sendPrefix() {
        guard !prefix.isEmpty else { return }
        send(prefix)
        prefix = []
        // So that what follows is not read together with it.
        _ = pause(milliseconds: 100)
    }

    /// Sends a whole answer.
    func answer(status: String = "200 OK", headers: [String: String] = [:], body: [UInt8]) {
        var head = "HTTP/1.1 \(status)\r\nContent-Length: \(body.count)\r\n"
        for (name, value) in headers.sorted(by: { $0.key < $1.key }) { head += "\(name): \(value)\r\n" }
        send(Array((head + "\r\n").utf8) + body)
    }

    /// Lets time pass; false as soon as the client closes or the server stops.
    func pause(milliseconds: Int) -> Bool {
        let end = DispatchTime.now() + .milliseconds(milliseconds)
        while !isClosedByPeer {
            let left = Int32(
                clamping: (Int64(end.uptimeNanoseconds) - Int64(DispatchTime.now().uptimeNanoseconds)) / 1_000_000)
            if left <= 0 { return true }
            var entry = pollfd(descriptor: descriptor)
            if poll(&entry, 1, min(left, 50)) > 0 { _ = receive() }
            if log.update({ $0.isStopping }) { return false }
        }
        return false
    }

    /// Waits until more of what the client sends is there to be read; false if it closes or the server stops.
    func waitForMore() -> Bool {
        while !log.update({ $0.isStopping }) {
            var entry = pollfd(descriptor: descriptor)
            guard poll(&entry, 1, 50) > 0 else { continue }
            var byte: UInt8 = 0
            return recv(descriptor, &byte, 1, Int32(MSG_PEEK)) == 1
        }
        return false
    }

    /// Sends nothing until the client closes.
    func waitForClose() {
        while pause(milliseconds: 60_000) {}
    }

    /// Sends nothing and takes nothing until the client closes or the server stops.
    func waitForCloseWithoutReading() {
        while !log.update({ $0.isStopping }) {
            var entry = Glibc.pollfd(fd: descriptor, events: Self.peerClosed, revents: 0)
            if poll(&entry, 1, 50) > 0 { return }
        }
    }

    /// Makes the close that follows a reset.
    func reset() {
        var option = linger(l_onoff: 1, l_linger: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
    }

    private func receive() -> Bool {
        var piece = [UInt8](repeating: 0, count: 16_384)
        while true {
            let count = recv(descriptor, &piece, piece.count, 0)
            if count < 0 && errno == EINTR { continue }
            guard count > 0 else {
                isClosedByPeer = true
                return false
            }
            pending += piece[..<count]
            return true
        }
    }
}

extension pollfd {
    fileprivate init(descriptor: Int32) {
        self.init(fd: descriptor, events: Int16(POLLIN), revents: 0)
    }
}
