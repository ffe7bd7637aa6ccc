extension AddressRange {
    /// The range with the most bits that an address is in.
    ///
    /// IPv4 outside of all ranges is the internet; of IPv6 only `2000::/3` is given out at all.
    static func narrowest(with address: IPAddress) -> AddressRange? {
        // Sorted by length, so that the first match is it.
        (address.version == .v4 ? v4 : v6).first { $0.contains(address) }
    }

    /// The same, and those of the addresses that it carries within it; none for most of the internet.
    static func narrowest(of address: IPAddress) -> [AddressRange] {
        let own = narrowest(with: address).map { [$0] } ?? []
        let carried = address.embedded
        return carried.isEmpty ? own : own + carried.compactMap(narrowest)
    }

    /// The IANA registries of special-purpose addresses for [IPv4] and [IPv6], beside them multicast and what is not
    /// given out, from the registries of the address spaces, and the addresses at which clouds hand out credentials.
    ///
    /// "Globally reachable" there is ``Reach/global`` here; where the registry says that it depends (6to4, Teredo) the
    /// range counts as special.
    ///
    /// [IPv4]: https://www.iana.org/assignments/iana-ipv4-special-registry
    /// [IPv6]: https://www.iana.org/assignments/iana-ipv6-special-registry
    static let registry: [AddressRange] = (special + islands + clouds).sorted { $0.prefixLength > $1.prefixLength }

    private static let v4 = registry.filter { $0.first.version == .v4 }
    private static let v6 = registry.filter { $0.first.version == .v6 }

    /// What is not the internet.
    private static let special: [AddressRange] = [
        ("0.0.0.0/8", "“this network”", .special),
        ("10.0.0.0/8", "private", .special),
        ("100.64.0.0/10", "carrier's shared", .special),
        ("127.0.0.0/8", "loopback", .special),
        ("169.254.0.0/16", "link-local", .never),
        ("172.16.0.0/12", "private", .special),
        ("192.0.0.0/24", "protocol", .special),
        ("192.0.2.0/24", "documentation", .special),
        ("192.88.99.0/24", "6to4 relay", .special),
        ("192.168.0.0/16", "private", .special),
        ("198.18.0.0/15", "benchmarking", .special),
        ("198.51.100.0/24", "documentation", .special),
        ("203.0.113.0/24", "documentation", .special),
        ("224.0.0.0/4", "multicast", .special),
        ("240.0.0.0/4", "reserved", .special),
        ("255.255.255.255/32", "broadcast", .special),
        ("::/0", "reserved", .special),
        ("::/128", "unspecified", .special),
        ("::1/128", "loopback", .special),
        ("::/96", "IPv4-compatible", .special),
        ("::ffff:0:0/96", "IPv4-mapped", .special),
        ("::ffff:0:0:0/96", "IPv4-translated", .special),
        ("64:ff9b:1::/48", "local translation", .special),
        ("100::/64", "discard-only", .special),
        ("100:0:0:1::/64", "dummy", .special),
        ("2001::/23", "protocol", .special),
        ("2001::/32", "Teredo", .special),
        ("2001:2::/48", "benchmarking", .special),
        ("2001:10::/28", "ORCHID", .special),
        ("2001:db8::/32", "documentation", .special),
        ("2002::/16", "6to4", .special),
        ("3fff::/20", "documentation", .special),
        ("5f00::/16", "segment routing", .special),
        ("fc00::/7", "private", .special),
        ("fe80::/10", "link-local", .never),
        ("fec0::/10", "site-local", .special),
        ("ff00::/8", "multicast", .special),
    ].compactMap(AddressRange.init)

    /// What the internet reaches although it lies in a range that is not.
    private static let islands: [AddressRange] = [
        ("192.0.0.9/32", "port control", .global),
        ("192.0.0.10/32", "relay", .global),
        ("192.31.196.0/24", "AS112", .global),
        ("192.52.193.0/24", "multicast tunnel", .global),
        ("192.175.48.0/24", "AS112", .global),
        ("2000::/3", "internet", .global),
        ("64:ff9b::/96", "NAT64", .global),
        ("2001:1::1/128", "port control", .global),
        ("2001:1::2/128", "relay", .global),
        ("2001:1::3/128", "service registration", .global),
        ("2001:3::/32", "multicast tunnel", .global),
        ("2001:4:112::/48", "AS112", .global),
        ("2001:20::/28", "ORCHID", .global),
        ("2001:30::/28", "drone identity", .global),
        ("2620:4f:8000::/48", "AS112", .global),
    ].compactMap(AddressRange.init)

    /// Where machines in a cloud ask for their own credentials, for clouds that do not use a link-local address for it.
    private static let clouds: [AddressRange] = [
        ("100.100.100.200/32", "cloud metadata", .never),
        ("168.63.129.16/32", "cloud metadata", .never),
        ("192.0.0.192/32", "cloud metadata", .never),
        ("fd00:ec2::254/128", "cloud metadata", .never),
        ("fd20:ce::254/128", "cloud metadata", .never),
    ].compactMap(AddressRange.init)
}
