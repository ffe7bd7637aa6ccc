import Foundation
import Glibc
import SampleServer

/// A connection to a server, over which requests go out as they are written.
final class Connection {
    private struct Failure: Error {
        let what: String
    }

    private let descriptor: Int32
    private var received = Data()

    convenience init(_ server: ThrottledServer) throws { try self.init(server.address) }

    init(_ address: URL) throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var place = sockaddr_in()
        place.sin_family = sa_family_t(AF_INET)
        place.sin_port = in_port_t(address.port ?? 0).bigEndian
        place.sin_addr.s_addr = inet_addr("127.0.0.1")
        // Longer than any test waits for.
        var patience = timeval(tv_sec: 60, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
        let descriptor = descriptor
        let isThere = withUnsafePointer(to: &place) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
        guard isThere else { throw Failure(what: "nobody listens") }
    }

    deinit { close(descriptor) }

    /// Sends a request; after it the server closes the connection.
    ///
    /// - Parameter request: A method and a path.
    func send(_ request: String, _ headers: [String] = []) throws {
        let lines = [request + " HTTP/1.1", "Host: 127.0.0.1", "Connection: close"] + headers + ["", ""]
        let bytes = Array(lines.joined(separator: "\r\n").utf8)
        guard write(descriptor, bytes, bytes.count) == bytes.count else { throw Failure(what: "not sent") }
    }

    /// Whether some of an answer is here already.
    var hasAnswer: Bool {
        var poll = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return Glibc.poll(&poll, 1, 0) > 0
    }

    /// Waits for an answer.
    ///
    /// - Parameter count: How many bytes of the body there are to be at least; nil for all of it. Default: all of it.
    /// - Returns: The head, and what there is of the body.
    func answer(atLeast count: Int? = nil) throws -> (String, Data) {
        while true {
            if let end = received.range(of: Data("\r\n\r\n".utf8)), let count,
                received.count - end.upperBound >= count
            {
                break
            }
            var buffer = [UInt8](repeating: 0, count: 65_536)
            let read = recv(descriptor, &buffer, buffer.count, 0)
            // A process that was stopped and goes on is told that its wait with a limit was interrupted.
            if read < 0, errno == EINTR { continue }
            guard read >= 0 else { throw Failure(what: "no answer: errno \(errno)") }
            if read == 0 { break }
            received += buffer.prefix(read)
        }
        guard let end = received.range(of: Data("\r\n\r\n".utf8)) else { throw Failure(what: "no whole head") }
        return (String(decoding: received[..<end.lowerBound], as: UTF8.self), Data(received[end.upperBound...]))
    }
}
