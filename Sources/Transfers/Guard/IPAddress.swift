import CCurl
import Glibc

/// An IPv4 or IPv6 address as a number, without a port or zone.
public struct IPAddress: Hashable, Sendable {
    /// Which version of the protocol an address belongs to.
    public enum Version: Sendable, Hashable {
        /// 32 bits.
        case v4
        /// 128 bits.
        case v6
    }

    /// The version of the protocol.
    public let version: Version
    /// The address as a number, in the low 32 bits for IPv4.
    let bits: UInt128

    init(v4 bits: UInt32) {
        version = .v4
        self.bits = UInt128(bits)
    }

    init(v6 bits: UInt128) {
        version = .v6
        self.bits = bits
    }

    /// How many bits the addresses of this version have.
    var width: Int { version == .v4 ? 32 : 128 }

    /// The address of a socket; nil for one that is neither IPv4 nor IPv6.
    ///
    /// - Parameter address: A `sockaddr` with the bytes that its family says are there.
    init?(socketAddress address: UnsafeRawPointer) {
        switch Int32(address.loadUnaligned(as: sockaddr.self).sa_family) {
        case AF_INET:
            self.init(v4: UInt32(bigEndian: address.loadUnaligned(as: sockaddr_in.self).sin_addr.s_addr))
        case AF_INET6:
            let socket = address.loadUnaligned(as: sockaddr_in6.self)
            self.init(
                v6: withUnsafeBytes(of: socket.sin6_addr) { UInt128(bigEndian: $0.loadUnaligned(as: UInt128.self)) })
        default:
            return nil
        }
    }
}

extension IPAddress: LosslessStringConvertible {
    /// Reads the usual form, `192.0.2.1` or `2001:db8::1`; nil for anything else, such as a name, a zone or brackets.
    public init?(_ description: String) {
        self.init(text: description)
    }

    /// Reads the usual form.
    init?(text description: UnsafePointer<CChar>) {
        var v4 = in_addr()
        var v6 = in6_addr()
        if inet_pton(AF_INET, description, &v4) == 1 {
            self.init(v4: UInt32(bigEndian: v4.s_addr))
        } else if inet_pton(AF_INET6, description, &v6) == 1 {
            self.init(v6: withUnsafeBytes(of: v6) { UInt128(bigEndian: $0.loadUnaligned(as: UInt128.self)) })
        } else {
            return nil
        }
    }

    /// The usual form.
    public var description: String {
        var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        switch version {
        case .v4:
            var address = in_addr(s_addr: UInt32(truncatingIfNeeded: bits).bigEndian)
            inet_ntop(AF_INET, &address, &text, socklen_t(text.count))
        case .v6:
            var address = bits.bigEndian
            inet_ntop(AF_INET6, &address, &text, socklen_t(text.count))
        }
        return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
