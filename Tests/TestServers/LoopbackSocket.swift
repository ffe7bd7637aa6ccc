import Foundation
import Glibc

/// What went wrong with a test server.
public struct ServerError: Error, CustomStringConvertible {
    /// The reason, with what the system said.
    public let description: String

    init(_ reason: String) { description = reason }

    static func system(_ call: String) -> ServerError {
        ServerError("\(call): \(String(cString: strerror(errno)))")
    }
}

/// Sockets on loopback addresses.
enum LoopbackSocket {
    /// A listening socket at an address that begins with 127, on a port that the system chooses unless it is said.
    static func listening(at name: String = "127.0.0.1", port: Int = 0) throws -> (descriptor: Int32, port: Int) {
        guard name.hasPrefix("127.") else { throw ServerError("\(name) is no loopback address") }
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { throw ServerError.system("socket") }
        var address = loopback(port: port)
        inet_pton(AF_INET, name, &address.sin_addr)
        if port != 0 {
            // Also right after another server has had it.
            var option: Int32 = 1
            setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &option, socklen_t(MemoryLayout<Int32>.size))
        }
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isReady = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                bind(descriptor, address, length) == 0 && listen(descriptor, 1_024) == 0
                    && getsockname(descriptor, address, &length) == 0
            }
        }
        guard isReady else {
            let error = ServerError.system("bind")
            close(descriptor)
            throw error
        }
        return (descriptor, Int(UInt16(bigEndian: address.sin_port)))
    }

    /// A port that is free at this moment.
    static func freePort() throws -> Int {
        let (descriptor, port) = try listening()
        close(descriptor)
        return port
    }

    /// Whether somebody takes connections at a port.
    static func isListening(_ port: Int) -> Bool {
        guard let descriptor = try? connected(to: port) else { return false }
        close(descriptor)
        return true
    }

    /// A connection to a port.
    static func connected(to port: Int) throws -> Int32 {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { throw ServerError.system("socket") }
        var address = loopback(port: port)
        let isConnected = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
        guard isConnected else {
            let error = ServerError.system("connect")
            close(descriptor)
            throw error
        }
        return descriptor
    }

    private static func loopback(port: Int) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(UInt16(port)).bigEndian
        address.sin_addr.s_addr = UInt32(INADDR_LOOPBACK).bigEndian
        return address
    }
}
