import CCurl
import Glibc

/// Whether hosts are there, by TCP alone: nothing is sent to them.
enum Reachability {
    /// How long they have.
    static let limit = Duration.seconds(4)

    /// Whether one of them takes a connection, or refuses it; also where that cannot be tried. Waits for it.
    static func isAnyThere(_ places: [AnsweringHosts.Place]) -> Bool {
        var sockets: [pollfd] = []
        defer { for socket in sockets { close(socket.fd) } }
        for place in places {
            let family = place.address.version == .v4 ? AF_INET : AF_INET6
            let flags = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
            let descriptor = socket(family, flags, 0)
            guard descriptor >= 0 else { return true }
            sockets.append(pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0))
            let status = place.address.withSocketAddress(port: place.port) { connect(descriptor, $0, $1) }
            let fault = status == 0 ? 0 : errno
            if fault == EINPROGRESS { continue }
            guard isAbsence(fault) else { return true }
            close(sockets.removeLast().fd)
        }
        let end = SteadyTime.now.advanced(by: limit)
        while !sockets.isEmpty {
            let left = SteadyTime.now.duration(to: end)
            guard left > .zero else { return false }
            guard poll(&sockets, nfds_t(sockets.count), Int32(left.wholeMilliseconds) + 1) >= 0 || errno == EINTR else {
                return true
            }
            for (index, socket) in sockets.enumerated().reversed() where socket.revents != 0 {
                guard isAbsence(fault(of: socket.fd)) else { return true }
                close(socket.fd)
                sockets.remove(at: index)
            }
        }
        return false
    }

    /// Whether a connection was not made because nobody is there. A host may refuse it, and this machine may not let it be tried.
    private static func isAbsence(_ fault: Int32) -> Bool {
        [ETIMEDOUT, EHOSTUNREACH, ENETUNREACH, EHOSTDOWN, ENETDOWN, EADDRNOTAVAIL].contains(fault)
    }

    private static func fault(of socket: Int32) -> Int32 {
        var (fault, size): (Int32, socklen_t) = (0, socklen_t(MemoryLayout<Int32>.size))
        return getsockopt(socket, SOL_SOCKET, SO_ERROR, &fault, &size) == 0 ? fault : errno
    }
}

extension IPAddress {
    /// Calls `body` with the address of a socket.
    fileprivate func withSocketAddress<Result>(
        port: UInt16, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result
    ) -> Result {
        func call<Address>(_ address: Address) -> Result {
            withUnsafeBytes(of: address) { bytes in
                bytes.withMemoryRebound(to: sockaddr.self) { body($0.baseAddress!, socklen_t(bytes.count)) }
            }
        }
        switch version {
        case .v4:
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_port = port.bigEndian
            address.sin_addr.s_addr = UInt32(truncatingIfNeeded: bits).bigEndian
            return call(address)
        case .v6:
            var address = sockaddr_in6()
            address.sin6_family = sa_family_t(AF_INET6)
            address.sin6_port = port.bigEndian
            withUnsafeMutableBytes(of: &address.sin6_addr) { $0.storeBytes(of: bits.bigEndian, as: UInt128.self) }
            return call(address)
        }
    }
}
