import Glibc
import Testing

@testable import Transfers

/// Which socket is whose, where the system gives one local port to several connections.
@Suite struct ConnectionLedgerTests {
    @Test func aSocketIsFoundByBothOfItsEnds() throws {
        let ledger = ConnectionLedger()
        let address = try #require(IPAddress("127.0.0.1"))
        let listeners = try (0..<8).map { _ in try listener() }
        defer { listeners.forEach { _ = close($0.socket) } }
        // All from the port of the first one.
        var localPort = in_port_t(0)
        var sockets: [Int32] = []
        defer { sockets.forEach { _ = close($0) } }
        for listener in listeners {
            let kind = Int32(SOCK_STREAM.rawValue)
            let socket = try #require(ledger.open(family: AF_INET, kind: kind, protocol: 0).socket)
            sockets.append(socket)
            var on: Int32 = 1
            setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &on, socklen_t(MemoryLayout.size(ofValue: on)))
            try #require(call(bind, socket, port: localPort) == 0)
            localPort = port(of: socket)
            try #require(call(connect, socket, port: listener.port) == 0)
        }
        let found = try zip(listeners, 1...).map { listener, number in
            let route = ConnectionLedger.Route(
                remote: address, remotePort: Int32(listener.port), localPort: Int32(localPort))
            let origin = try WebAddress("http://127.0.0.1:\(listener.port)/").origin
            return ledger.claim(route, for: origin, isReused: false, at: .now, pending: { 0 })?.socket
        }
        #expect(found == sockets)
    }

    private func listener() throws -> (socket: Int32, port: in_port_t) {
        let socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        try #require(call(bind, socket, port: 0) == 0)
        try #require(listen(socket, 8) == 0)
        return (socket, port(of: socket))
    }

    /// Calls a function of the system with an address of this machine.
    private func call(
        _ function: (Int32, UnsafePointer<sockaddr>, socklen_t) -> Int32, _ socket: Int32, port: in_port_t
    ) -> Int32 {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        address.sin_port = port.bigEndian
        let length = socklen_t(MemoryLayout.size(ofValue: address))
        return withUnsafePointer(to: address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { function(socket, $0, length) }
        }
    }

    private func port(of socket: Int32) -> in_port_t {
        var address = sockaddr_in()
        var length = socklen_t(MemoryLayout.size(ofValue: address))
        _ = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(socket, $0, &length) }
        }
        return in_port_t(bigEndian: address.sin_port)
    }
}
