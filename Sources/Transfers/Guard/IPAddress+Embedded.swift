extension IPAddress {
    /// The IPv4 addresses that packets to an IPv6 address may end at; none for IPv4.
    ///
    /// Translators and tunnels carry an IPv4 address within an IPv6 one, each in a place of its own: compatible and
    /// mapped (RFC 4291, 2.5.5), translated (RFC 2765, 2.1), 6to4 (RFC 3056, 2), NAT64 (RFC 6052, 2.2, also at the
    /// lengths that the local prefix of RFC 8215 can have), Teredo (RFC 4380, 4: the server, and the client with all bits
    /// inverted), and ISATAP under any prefix (RFC 5214, 6.1).
    var embedded: [IPAddress] {
        guard version == .v6 else { return [] }
        var found: [UInt32] = []
        let low = UInt32(truncatingIfNeeded: bits)
        switch bits >> 32 {
        case 0, 0xFFFF, 0xFFFF_0000, 0x64_FF9B_0000_0000_0000_0000: found.append(low)
        default: break
        }
        switch bits >> 112 {
        case 0x2002: found.append(UInt32(truncatingIfNeeded: bits >> 80))
        case 0x2001 where bits >> 96 == 0x2001_0000: found += [UInt32(truncatingIfNeeded: bits >> 64), ~low]
        case 0x64 where bits >> 80 == 0x64_FF9B_0001: found += translated
        default: break
        }
        // The bit that says whether the interface's number is known worldwide may be either.
        if (bits >> 32) & 0xFDFF_FFFF == 0x5EFE { found.append(low) }
        return found.map(IPAddress.init(v4:))
    }

    /// What stands behind prefixes of 48, 56, 64 and 96 bits; bits 64 to 71 are always left out.
    private var translated: [UInt32] {
        func part(_ shift: Int, _ count: Int) -> UInt32 {
            UInt32(truncatingIfNeeded: bits >> UInt128(shift)) & UInt32((UInt64(1) << UInt64(count)) - 1)
        }
        return [
            part(64, 16) << 16 | part(40, 16), part(64, 8) << 24 | part(32, 24), part(24, 32), part(0, 32),
        ]
    }
}
