import FoundationEssentials

/// The way to everything that is not in this machine's neighbourhood.
///
/// The kernel keeps a route where a cable is pulled, and only a network manager takes it away; so the interface is looked at, too.
enum DefaultRoute {
    /// Whether there is one, by IPv4 or IPv6; also where that cannot be known.
    static var isThere: Bool {
        guard let tables = read("/proc/net/route") else { return true }
        return hasDefault(tables) || hasDefault6(read("/proc/net/ipv6_route") ?? "")
    }

    /// The table of IPv4. Some VPNs have two routes instead of one, to the lower and the upper half of all addresses.
    ///
    /// - Parameter table: A line of names, and then name, destination, gateway, flags, three counts and the mask, in hexadecimal and
    ///   in the byte order of the machine (proc_net(5)).
    static func hasDefault(_ table: String, hasCarrier: (String) -> Bool = hasCarrier) -> Bool {
        let usable = table.split(separator: "\n").dropFirst().compactMap { line in
            let columns = line.split(whereSeparator: \.isWhitespace)
            return columns.count > 7 && isUsable(columns[3], of: columns[0], hasCarrier)
                ? [columns[1], columns[7]].map { UInt32($0, radix: 16).map(UInt32.init(bigEndian:)) } : nil
        }
        let half: UInt32 = 1 << 31
        return usable.contains([0, 0]) || usable.contains([0, half]) && usable.contains([half, half])
    }

    /// The table of IPv6.
    ///
    /// - Parameter table: Destination, length of its prefix, source and length, next hop, metric, two counts, flags and name.
    static func hasDefault6(_ table: String, hasCarrier: (String) -> Bool = hasCarrier) -> Bool {
        table.split(separator: "\n").contains { line in
            let columns = line.split(whereSeparator: \.isWhitespace)
            // Whatever reaches a half of all, or the part that is given out so far (2000::/3), is meant for all.
            return columns.count > 9 && ["00", "01", "03"].contains(columns[1])
                && isUsable(columns[8], of: columns[9], hasCarrier)
        }
    }

    /// Whether a route is up, and is not one that refuses (`RTF_UP` and `RTF_REJECT` of Linux).
    private static func isUsable(
        _ flags: Substring, of interface: Substring, _ hasCarrier: (String) -> Bool
    ) -> Bool {
        guard let flags = UInt32(flags, radix: 16), flags & 0x1 != 0, flags & 0x200 == 0 else { return false }
        return hasCarrier(String(interface))
    }

    /// Whether an interface has somebody at the other end; also where it does not say.
    static func hasCarrier(_ interface: String) -> Bool {
        read("/sys/class/net/\(interface)/carrier")?.first != "0"
    }

    private static func read(_ path: String) -> String? {
        (try? Data(contentsOf: URL(filePath: path))).map { String(decoding: $0, as: UTF8.self) }
    }
}
