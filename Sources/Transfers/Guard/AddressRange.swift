/// Addresses that begin with the same bits, and what they are for.
public struct AddressRange: Hashable, Sendable {
    /// Who may be sent to such an address.
    public enum Reach: Sendable, Hashable {
        /// Anybody: these are hosts of the internet.
        case global
        /// Whoever belongs there: loopback, private networks, and whatever else is reserved for a purpose.
        case special
        /// Nobody, whatever is opened: link-local addresses, and those at which clouds hand out credentials.
        case never
    }

    /// The first address.
    public let first: IPAddress
    /// How many bits the addresses have in common.
    public let prefixLength: Int
    /// What they are for, in a few words that can stand before "address".
    public let purpose: String
    /// Who may be sent there.
    public let reach: Reach
    /// The bits in which they differ.
    let hostMask: UInt128

    /// A range in the usual notation, such as `10.0.0.0/8`; nil if it is none.
    init?(_ notation: String, _ purpose: String, _ reach: Reach) {
        let parts = notation.split(separator: "/")
        guard parts.count == 2, let first = IPAddress(String(parts[0])), let length = Int(parts[1]),
            (0...first.width).contains(length)
        else { return nil }
        self.first = first
        prefixLength = length
        self.purpose = purpose
        self.reach = reach
        let free = first.width - length
        hostMask = free == 128 ? .max : (1 << UInt128(free)) - 1
        guard self.first.bits & hostMask == 0 else { return nil }
    }

    /// Whether an address is one of them.
    public func contains(_ address: IPAddress) -> Bool {
        address.version == first.version && address.bits & ~hostMask == first.bits
    }

    /// Whether packets to an address may end in a special range.
    static func isSpecial(_ address: IPAddress) -> Bool {
        narrowest(of: address).contains { $0.reach == .special }
    }
}

extension AddressRange: CustomStringConvertible {
    /// The usual notation.
    public var description: String { "\(first)/\(prefixLength)" }
}
