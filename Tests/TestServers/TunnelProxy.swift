import Foundation
import Glibc

/// A proxy on a loopback port that makes tunnels: by `CONNECT`, or by SOCKS 5 with the names of hosts. Whatever host it is asked
/// for, the tunnel leads to this machine, at the port that was asked for.
public final class TunnelProxy: Sendable {
    /// The port on 127.0.0.1.
    public let port: Int
    private let listener: Int32
    private let log = TunnelLog()

    /// Starts to listen.
    public init() throws {
        (listener, port) = try LoopbackSocket.listening()
        let (listener, log) = (listener, log)
        Thread.detachNewThread {
            while true {
                let client = accept(listener, nil, nil)
                if client < 0 && (errno == EINTR || errno == ECONNABORTED) { continue }
                guard client >= 0, log.open(client) else {
                    if client >= 0 { close(client) }
                    break
                }
                Thread.detachNewThread { Self.serve(client, log) }
            }
            close(listener)
        }
    }

    deinit { stop() }

    /// What was asked for: heads of `CONNECT`, and `socks HOST:PORT`.
    public var requests: [String] { log.requests }

    /// Closes everything.
    public func stop() {
        guard log.close() else { return }
        shutdown(listener, Int32(SHUT_RDWR))
    }

    // MARK: Threads

    private static func serve(_ client: Int32, _ log: TunnelLog) {
        defer { log.closed(client) }
        guard let first = read(client, 1)?.first else { return }
        guard let port = first == 5 ? socks(client, log) : connect(client, first, log) else { return }
        guard let server = try? LoopbackSocket.connected(to: port) else { return }
        defer { close(server) }
        let answer: [UInt8] = first == 5 ? [5, 0, 0, 1, 127, 0, 0, 1, 0, 0] : Array("HTTP/1.1 200 OK\r\n\r\n".utf8)
        guard write(answer, to: client) else { return }
        relay(client, server)
    }

    private static func connect(_ client: Int32, _ first: UInt8, _ log: TunnelLog) -> Int? {
        var head = [first]
        while !head.suffix(4).elementsEqual("\r\n\r\n".utf8) {
            guard head.count < 65_536, let next = read(client, 1) else { return nil }
            head += next
        }
        let text = String(decoding: head, as: UTF8.self)
        log.add(text)
        let words = text.split(separator: " ")
        return words.first == "CONNECT" ? words[1].split(separator: ":").last.flatMap { Int($0) } : nil
    }

    private static func socks(_ client: Int32, _ log: TunnelLog) -> Int? {
        guard let count = read(client, 1)?.first, read(client, Int(count)) != nil, write([5, 0], to: client),
            let head = read(client, 4), head[3] == 3, let length = read(client, 1)?.first,
            let name = read(client, Int(length)), let port = read(client, 2)
        else {
            log.add("socks without a name")
            return nil
        }
        let number = Int(port[0]) << 8 | Int(port[1])
        log.add("socks \(String(decoding: name, as: UTF8.self)):\(number)")
        return number
    }

    private static func read(_ descriptor: Int32, _ count: Int) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: count)
        guard count > 0 else { return bytes }
        return recv(descriptor, &bytes, count, Int32(MSG_WAITALL)) == count ? bytes : nil
    }

    private static func write(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
        var sent = 0
        while sent < bytes.count {
            let count = bytes[sent...].withUnsafeBytes {
                send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { return false }
            sent += count
        }
        return true
    }

    /// Passes bytes on in both directions until one end closes.
    private static func relay(_ one: Int32, _ other: Int32) {
        var bytes = [UInt8](repeating: 0, count: 65_536)
        while true {
            var polled = [
                pollfd(fd: one, events: Int16(POLLIN), revents: 0),
                pollfd(fd: other, events: Int16(POLLIN), revents: 0),
            ]
            guard poll(&polled, 2, -1) > 0 else { return }
            for (from, to) in [(0, other), (1, one)] where polled[from].revents != 0 {
                let count = recv(polled[from].fd, &bytes, bytes.count, 0)
                guard count > 0, write(Array(bytes[..<count]), to: to) else { return }
            }
        }
    }
}

/// What a proxy has open, and what it was asked for.
private final class TunnelLog: @unchecked Sendable {
    // Everything else is touched under this lock.
    private let lock = NSLock()
    private var texts: [String] = []
    private var clients: Set<Int32> = []
    private var isStopping = false

    var requests: [String] { lock.withLock { texts } }

    func add(_ text: String) { lock.withLock { texts.append(text) } }

    func open(_ client: Int32) -> Bool {
        lock.withLock { isStopping ? false : clients.insert(client).inserted }
    }

    func closed(_ client: Int32) {
        lock.withLock {
            clients.remove(client)
            _ = Glibc.close(client)
        }
    }

    /// Whether it was open.
    func close() -> Bool {
        lock.withLock {
            defer { isStopping = true }
            for client in clients { shutdown(client, Int32(SHUT_RDWR)) }
            return !isStopping
        }
    }
}
