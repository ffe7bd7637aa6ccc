public import Foundation
import Glibc

/// An HTTP server on a loopback port that misbehaves on request.
///
/// Each ``Fault`` has a path. Besides, `/ok` and whatever ``serve(_:at:headers:)`` names are answered properly;
/// `/status/503` answers with that status (503 with `Retry-After: 7`); `/redirect/3` redirects three times and then to
/// `/ok`; `/redirect-to?ADDRESS` redirects to that address as it stands, and `/redirect-to-bytes?ADDRESS` to the one
/// with bytes in place of escapes; `/head` answers with the request's head; all else is 404. Each connection has a thread and is kept alive. Call ``stop()`` when done.
public final class FaultServer: Sendable {
    /// The address, which begins with 127.
    public let address: String
    /// The port at that address.
    public var port: Int { listener.port }
    private let listener: LoopbackListener
    private let log: ServerLog

    /// The body at `/ok`.
    public static let okBody = Data((0..<20_000).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) })

    /// How many bytes the body at ``Fault/leftover`` has, all of them the letter g.
    public static let leftoverBodyCount = 50_000

    /// Starts to listen.
    /// - Parameters:
    ///   - address: A loopback address; many servers can have one port at addresses of their own.
    ///   - port: 0 for one that the system chooses.
    public init(address: String = "127.0.0.1", port: Int = 0) throws {
        self.address = address
        let log = ServerLog(ServerEntries())
        self.log = log
        log.update { $0.bodies["/ok"] = ServerEntries.Served(body: Self.okBody, headers: [:]) }
        listener = try LoopbackListener(at: address, port: port, log) { Self.serve($0, log) }
    }

    deinit { stop() }

    /// The address of a path, which may have a query.
    public func url(_ path: String) -> URL {
        URL(string: "http://\(address):\(port)\(path)") ?? URL(filePath: "/")
    }

    /// The address of a fault.
    public func url(_ fault: Fault, query: String? = nil) -> URL {
        url(fault.rawValue + (query.map { "?\($0)" } ?? ""))
    }

    /// Answers `path` with these bytes from now on; a header `Status` gives another status than 200, and requests that name
    /// the `ETag` are answered with 304.
    public func serve(_ body: Data, at path: String, headers: [String: String] = [:]) {
        log.update { $0.bodies[path] = ServerEntries.Served(body: body, headers: headers) }
    }

    /// Answers the requests for `path` by a script from now on.
    public func serve(_ script: FaultScript, at path: String) {
        log.update { entries in
            entries.scripts[path] = script
            entries.heads[path] = []
        }
    }

    /// What was put at a path last.
    public func uploaded(at path: String) -> Data? { log.update { $0.uploads[path] } }

    /// A header's values in the requests that came for a path that is served, nil where it was not sent.
    public func requestHeaders(_ name: String, at path: String) -> [String?] {
        log.update { $0.heads[path] ?? [] }.map { FaultScript.value(of: name, in: $0) }
    }

    /// Lets all requests at ``Fault/gate`` be answered.
    public func openGate() { log.update { $0.isGateOpen = true } }

    /// Holds requests at ``Fault/gate`` back again.
    public func closeGate() { log.update { $0.isGateOpen = false } }

    /// How many requests came, for one path without its query or in all.
    public func requestCount(_ path: String? = nil) -> Int {
        log.update { entries in path.map { entries.requests[$0] ?? 0 } ?? entries.requests.values.reduce(0, +) }
    }

    /// How many requests came for each path, without its query.
    public var requestCounts: [String: Int] { log.update { $0.requests } }

    /// How many requests for a path were answered with status 304, because they named the `ETag` that it is served with.
    public func confirmationCount(_ path: String) -> Int { log.update { $0.confirmed[path] ?? 0 } }

    /// How many connections were accepted.
    public var connectionCount: Int { log.update { $0.accepted } }

    /// How many connections are open.
    public var openConnections: Int { log.update { $0.open.count } }

    /// The most connections that were open at once.
    public var peakConnections: Int { log.update { $0.peakOpen } }

    /// How many clients closed their connection while `path` was being answered.
    public func peerCloseCount(_ path: String) -> Int { log.update { $0.peerCloses[path] ?? 0 } }

    /// Waits until so many requests for `path` came; false if they did not in time.
    public func waitForRequests(_ path: String, count: Int = 1, seconds: Double = 20) -> Bool {
        log.wait(seconds: seconds) { $0.requests[path] ?? 0 >= count }
    }

    /// Waits until so many answers at `path` were sent to their end; false if they were not in time.
    public func waitForAnswers(_ path: String, count: Int = 1, seconds: Double = 20) -> Bool {
        log.wait(seconds: seconds) { $0.answers[path] ?? 0 >= count }
    }

    /// Waits until so many clients closed while `path` was being answered; false if they did not in time.
    public func waitForPeerClose(_ path: String, count: Int = 1, seconds: Double = 20) -> Bool {
        log.wait(seconds: seconds) { $0.peerCloses[path] ?? 0 >= count }
    }

    /// Waits until at most so many connections are open; false if there are more all the time.
    public func waitForOpenConnections(atMost count: Int, seconds: Double = 20) -> Bool {
        log.wait(seconds: seconds) { $0.open.count <= count }
    }

    /// Closes everything and waits until all threads have ended.
    public func stop() { listener.stop() }

    private static func serve(_ descriptor: Int32, _ log: ServerLog) {
        let connection = FaultConnection(descriptor: descriptor, log: log)
        var isOpen = true
        while isOpen, let head = connection.readHead() {
            let target = head.split(separator: " ").dropFirst().first.map(String.init) ?? "/"
            let request = FaultRequest(target: target, head: head)
            log.update { entries in
                entries.requests[request.path, default: 0] += 1
                let isServed = entries.scripts[request.path] != nil || entries.bodies[request.path] != nil
                if isServed || request.isUpload {
                    entries.heads[request.path, default: []].append(head)
                }
            }
            connection.sendPrefix()
            isOpen = request.answer(on: connection, log)
            log.update { entries in
                if connection.isClosedByPeer {
                    entries.peerCloses[request.path, default: 0] += 1
                } else {
                    entries.answers[request.path, default: 0] += 1
                }
            }
            if connection.isClosedByPeer { isOpen = false }
        }
    }
}
