import CPSL
import Catalogs
import FoundationEssentials
import Glibc
import PhotoPipeline
import Transfers

/// Which task a row belongs to.
///
/// All rows of a registrable domain, such as `example.org` for `img1.example.org`, are in one task, so that what one process asks of a
/// host is what the whole run asks of it. Rows without a domain are spread by their IP address, or by their address. The same rows come
/// to the same tasks on every machine with the same list of public suffixes. For one thread.
final class TaskAssignment {
    /// A host that came before, by checksums of its name and of its domain's.
    private struct Host {
        let name: UInt64
        let domain: UInt64
        /// Where the domain's name begins among ``names``.
        let start: UInt32
    }

    /// How many hosts are known at most, and how long the names of their domains may be together.
    static let mostKnown = 1 << 20
    private static let mostNames = 1 << 25

    private let tasks: UInt64
    private let suffixes = psl_builtin()
    /// The tasks of hosts by checksums of their names, so that the list of suffixes is asked once for most, with their rows. Of two hosts
    /// of one checksum, which are one in a billion catalogs, one would come into the task of the other.
    private let known = ChecksumTable()
    private var hosts: [Host] = []
    private var names: [UInt8] = []
    /// How many rows the known hosts have.
    private var rows = 0
    private var heavy = HeavyHosts()
    private let mostHosts: Int

    /// - Parameters:
    ///   - tasks: How many tasks there are, at least 1.
    ///   - mostHosts: How many hosts are known at once, at least 1. It changes no task.
    init(tasks: Int, knowing mostHosts: Int = mostKnown) {
        self.tasks = UInt64(max(1, tasks))
        self.mostHosts = max(1, mostHosts)
        // What is never written takes no memory, and growing would take it twice.
        hosts.reserveCapacity(self.mostHosts)
        names.reserveCapacity(Self.mostNames + 256)
    }

    /// The task of a row, which is counted for its domain.
    ///
    /// - Parameters:
    ///   - address: The row's address as it stands, in UTF-8.
    ///   - content: What it means; asked where that does not show at once.
    ///   - number: The row's number.
    func task(
        of address: UnsafeBufferPointer<UInt8>,
        _ content: @autoclosure () -> Result<ResourceAddress, CatalogEntryError>, number: Int
    ) -> Int {
        if let host = Self.plainHost(of: address) { return task(ofHost: host, Checksum.of(host)) }
        switch content() {
        case .success(.web(let address)):
            var host = address.host.lowercased()
            return host.withUTF8 {
                let bytes = UnsafeRawBufferPointer($0)
                return task(ofHost: bytes, Checksum.of(bytes))
            }
        case .success(let other): return task(of: other.text)
        case .failure: return task(of: address.isEmpty ? "\(number)" : String(decoding: address, as: UTF8.self))
        }
    }

    /// The host of a row's address.
    struct RowHost {
        fileprivate let name: UnsafeRawBufferPointer
        fileprivate let key: UInt64
    }

    /// The host of an address that is written as most are; nil of any other. Its task should be asked for some rows later, as the processor
    /// is told to fetch what is known of it.
    func plainHost(_ address: UnsafeBufferPointer<UInt8>) -> RowHost? {
        guard let name = Self.plainHost(of: address) else { return nil }
        let host = RowHost(name: name, key: Checksum.of(name))
        known.prepare(for: host.key)
        return host
    }

    /// The task of a row of a host, which is counted for its domain.
    func task(of host: RowHost) -> Int { task(ofHost: host.name, host.key) }

    private func task(ofHost bytes: UnsafeRawBufferPointer, _ key: UInt64) -> Int {
        rows += 1
        if rows < UInt32.max, let task = known.countedNumber(of: key) { return task }
        if hosts.count >= mostHosts || names.count >= Self.mostNames || rows >= UInt32.max { forget() }
        let start = UInt32(names.count)
        var name = domain(of: bytes)
        let domain = name.withUTF8 { name in
            names.append(contentsOf: name)
            return Checksum.of(UnsafeRawBufferPointer(name))
        }
        let task = task(of: domain)
        hosts.append(Host(name: key, domain: domain, start: start))
        known.add(1, to: key, number: task)
        return task
    }

    /// Counts the rows of the known hosts by their domains, and knows none any more.
    private func forget() {
        var counts = hosts.map { UInt32(known.count(of: $0.name)) }
        known.removeAll()
        for (number, host) in hosts.enumerated() { known.add(Int(counts[number]), to: host.domain, number: number) }
        counts.removeAll(keepingCapacity: true)
        known.each { counts.append(UInt32($1)) }
        // As `HeavyHosts` does it, but before names are made into texts, for those that cannot be among the most frequent ones.
        let surplus = Int(heavy.surplus(of: counts))
        known.each { host, rows in
            guard rows > surplus else { return }
            let end = host + 1 < hosts.count ? Int(hosts[host + 1].start) : names.count
            heavy.add(String(decoding: names[Int(hosts[host].start)..<end], as: UTF8.self), count: rows - surplus)
        }
        known.removeAll()
        hosts.removeAll(keepingCapacity: true)
        names.removeAll(keepingCapacity: true)
        rows = 1
    }

    /// The domains that had at least so many rows, the largest first. Counts may be too small, by at most one row in four thousand.
    func domains(withAtLeast least: Int) -> [(domain: String, rows: Int)] {
        forget()
        return heavy.keys(withAtLeast: least).map { ($0.key, $0.count) }
    }

    /// The registrable domain of a host; the host itself where it has none, as an IP address or a host of the own network.
    func domain(of host: UnsafeRawBufferPointer) -> String {
        let end = host.last == UInt8(ascii: ".") ? host.count - 1 : host.count
        let name = String(decoding: host[..<end], as: UTF8.self)
        // Numbers are no domain, whatever the list says about names that it does not know.
        if host[..<end].last.map({ (0x30...0x39).contains($0) }) ?? true || host.contains(0x3A) { return name }
        return name.withCString { text in psl_registrable_domain(suffixes, text).map { String(cString: $0) } } ?? name
    }

    private func task(of key: String) -> Int { task(of: Checksum.of(Data(key.utf8))) }

    private func task(of checksum: UInt64) -> Int { Int(checksum.multipliedFullWidth(by: tasks).high) }

    /// The host of an address that is written as most are, in small letters; nil where more than a glance is needed.
    static func plainHost(of bytes: UnsafeBufferPointer<UInt8>) -> UnsafeRawBufferPointer? {
        guard let start = bytes.webSchemeLength else { return nil }
        // Where the last label begins.
        var (end, label) = (start, start)
        scan: while end < bytes.count {
            switch bytes[end] {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"):
                end += 1
            case UInt8(ascii: "."):
                end += 1
                label = end
            case UInt8(ascii: "/"): break scan
            default: return nil
            }
        }
        // What begins or ends with a digit may be an IP address that is written in an unusual way, as 10.0xa is.
        let letters = UInt8(ascii: "a")...UInt8(ascii: "z")
        guard label > start, end < bytes.count, letters.contains(bytes[label]), letters.contains(bytes[end - 1]) else {
            return nil
        }
        return UnsafeRawBufferPointer(UnsafeBufferPointer(rebasing: bytes[start..<end]))
    }
}
