import Foundation
import Glibc

/// Takes connections at a loopback port, each of which a thread of its own serves, until it is stopped.
final class LoopbackListener: Sendable {
    let port: Int
    private let descriptor: Int32
    private let log: ServerLog

    /// - Parameters:
    ///   - address: A loopback address.
    ///   - port: 0 for one that the system chooses.
    ///   - log: Counts connections and threads, and knows those that are open.
    ///   - serve: Serves a connection, which is closed afterwards.
    init(
        at address: String = "127.0.0.1", port: Int = 0, _ log: ServerLog,
        serve: @escaping @Sendable (_ connection: Int32) -> Void
    ) throws {
        (descriptor, self.port) = try LoopbackSocket.listening(at: address, port: port)
        self.log = log
        let descriptor = descriptor
        log.update { $0.threads += 1 }
        Thread.detachNewThread { Self.accept(on: descriptor, log, serve) }
    }

    /// Closes everything and waits until all threads have ended.
    func stop() {
        let isFirst = log.update { entries in
            defer { entries.isStopping = true }
            for connection in entries.open { shutdown(connection, Int32(SHUT_RDWR)) }
            return !entries.isStopping
        }
        guard isFirst else { return }
        shutdown(descriptor, Int32(SHUT_RDWR))
        _ = log.wait(seconds: 20) { $0.threads == 0 }
    }

    private static func accept(on listener: Int32, _ log: ServerLog, _ serve: @escaping @Sendable (Int32) -> Void) {
        defer { log.update { $0.threads -= 1 } }
        defer { close(listener) }
        while true {
            let connection = Glibc.accept(listener, nil, nil)
            if connection < 0 && (errno == EINTR || errno == ECONNABORTED) { continue }
            guard connection >= 0 else { return }
            _ = fcntl(connection, F_SETFD, FD_CLOEXEC)
            let goesOn = log.update { entries in
                guard !entries.isStopping else { return false }
                entries.open.insert(connection)
                entries.accepted += 1
                entries.peakOpen = max(entries.peakOpen, entries.open.count)
                entries.threads += 1
                return true
            }
            guard goesOn else {
                close(connection)
                return
            }
            Thread.detachNewThread {
                var option: Int32 = 1
                setsockopt(
                    connection, Int32(IPPROTO_TCP), TCP_NODELAY, &option, socklen_t(MemoryLayout<Int32>.size))
                serve(connection)
                log.update { entries in
                    entries.open.remove(connection)
                    close(connection)
                    entries.threads -= 1
                }
            }
        }
    }
}
