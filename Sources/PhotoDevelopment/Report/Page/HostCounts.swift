import Catalogs

/// How many rows each host had, and how many of them failed.
///
/// A plain value of bounded size. While there are fewer than ``limit`` hosts all counts are exact. Then those with the fewest rows
/// are forgotten, as in the Space-Saving algorithm: a host that was forgotten and comes back may lack as many rows as
/// ``missing`` says, and a host with more rows than that is always there.
struct HostCounts {
    struct Host {
        let name: String
        var rows = 0
        var failed = 0
        var bytes = 0
        var milliseconds: Int64 = 0
        /// How many rows may have been forgotten before.
        fileprivate let missing: Int
    }

    /// The most hosts that are counted at a time.
    let limit: Int
    /// The most rows that a host can lack.
    private(set) var missing = 0
    private var hosts: [String: Host] = [:]

    /// - Parameter limit: The most hosts that are counted at a time, at least 2.
    init(limit: Int = 20_000) {
        self.limit = limit
    }

    /// How many hosts are counted at present.
    var count: Int { hosts.count }

    mutating func add(_ row: ReportRow, host name: String) {
        if hosts.count >= limit, hosts[name] == nil { forget() }
        var isFailed = false
        if case .failed = row.outcome { isFailed = true }
        let new = Host(name: name, missing: missing)
        Self.add(row, isFailed, to: &hosts[name, default: new])
    }

    private static func add(_ row: ReportRow, _ isFailed: Bool, to host: inout Host) {
        host.rows += 1
        host.failed += isFailed ? 1 : 0
        // What a damaged journal says must not end the program.
        host.bytes &+= row.bytes
        host.milliseconds &+= row.milliseconds
    }

    /// Forgets the half with the fewest rows.
    private mutating func forget() {
        let most = hosts.values.map { $0.rows + $0.missing }.sorted()[(hosts.count - 1) / 2]
        hosts = hosts.filter { $0.value.rows + $0.value.missing > most }
        missing = most
    }

    /// The hosts with the most failures, without those that have none.
    func worst(_ count: Int) -> [Host] {
        let failed = hosts.values.filter { $0.failed > 0 }
        return Array(failed.sorted { ($1.failed, $1.rows, $0.name) < ($0.failed, $0.rows, $1.name) }.prefix(count))
    }

    /// The hosts with the most rows.
    func largest(_ count: Int) -> [Host] {
        Array(hosts.values.sorted { ($1.rows, $0.name) < ($0.rows, $1.name) }.prefix(count))
    }

    /// What stands for the host of an address that has none: a local file, a relative address, something else.
    static let noHost = "(no host)"

    /// The host of an address as it is written, in small letters, with the port if there is one.
    ///
    /// Read in the simplest way, a million times: what is no http address has no host, whatever else it may be.
    static func host(of address: String) -> String {
        let bytes = address.utf8
        let beginning = String(decoding: bytes.prefix(8), as: UTF8.self).lowercased()
        guard let scheme = ["http://", "https://"].first(where: beginning.hasPrefix) else { return noHost }
        let rest = bytes.dropFirst(scheme.utf8.count)
        var authority = rest.prefix { ![0x2F, 0x3F, 0x23, 0x5C].contains($0) }
        if let at = authority.lastIndex(of: UInt8(ascii: "@")) { authority = authority[authority.index(after: at)...] }
        let host = String(decoding: authority, as: UTF8.self).shortened(toBytes: 255).lowercased()
        return host.isEmpty ? noHost : host
    }
}
