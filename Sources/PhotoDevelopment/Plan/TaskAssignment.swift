import CPSL
import FoundationEssentials
import Glibc
import PhotoPipeline
import Transfers

/// Which task a row belongs to.
///
/// All rows of a registrable domain, such as `example.org` for `img1.example.org`, are in one task, so that what one process asks of a
/// host is what the whole run asks of it. Rows without a domain are spread by their IP address, or by their address. The same rows come
/// to the same tasks on every machine with the same list of public suffixes.
struct TaskAssignment {
    private static let mostKnown = 200_000

    /// A host that came before. It has no text in it, which would have to be retained for each row.
    private struct Known {
        let task: Int
        /// Its place among ``domains``.
        let domain: Int
        /// How many rows it had since it is known.
        var rows = 1
    }

    private let tasks: UInt64
    private let suffixes = psl_builtin()
    /// By checksums of their names, so that the list of suffixes is asked once for most. Of two hosts of one checksum, which are one in a
    /// billion catalogs, one would come into the task of the other.
    private var known: [UInt64: Known] = [:]
    private var domains: [String] = []
    private var heavy = HeavyHosts()

    /// - Parameter tasks: How many tasks there are, at least 1.
    init(tasks: Int) {
        self.tasks = UInt64(max(1, tasks))
        known.reserveCapacity(Self.mostKnown)
    }

    /// The task of a row, which is counted for its domain.
    ///
    /// - Parameters:
    ///   - address: The row's address as it stands, in UTF-8.
    ///   - content: What it means; asked where that does not show at once.
    ///   - number: The row's number.
    mutating func task(
        of address: UnsafeBufferPointer<UInt8>,
        _ content: @autoclosure () -> Result<ResourceAddress, CatalogEntryError>, number: Int
    ) -> Int {
        if let host = Self.plainHost(of: address) { return task(ofHost: host) }
        switch content() {
        case .success(.web(let address)):
            var host = address.host.lowercased()
            return host.withUTF8 { task(ofHost: UnsafeRawBufferPointer($0)) }
        case .success(let other): return task(of: other.text)
        case .failure: return task(of: address.isEmpty ? "\(number)" : String(decoding: address, as: UTF8.self))
        }
    }

    private mutating func task(ofHost bytes: UnsafeRawBufferPointer) -> Int {
        let key = Checksum.of(bytes)
        if let index = known.index(forKey: key) {
            known.values[index].rows += 1
            return known.values[index].task
        }
        let domain = domain(of: String(decoding: bytes, as: UTF8.self))
        if known.count >= Self.mostKnown { forget() }
        let task = task(of: domain)
        known[key] = Known(task: task, domain: domains.count)
        domains.append(domain)
        return task
    }

    private mutating func forget() {
        for host in known.values { heavy.add(domains[host.domain], count: host.rows) }
        known.removeAll(keepingCapacity: true)
        domains.removeAll(keepingCapacity: true)
    }

    /// The domains that had at least so many rows, the largest first. Counts may be too small, by at most one row in four thousand.
    mutating func domains(withAtLeast least: Int) -> [(domain: String, rows: Int)] {
        forget()
        return heavy.keys(withAtLeast: least).map { ($0.key, $0.count) }
    }

    /// The registrable domain of a host; the host itself where it has none, as an IP address or a host of the own network.
    private func domain(of host: String) -> String {
        let name = host.hasSuffix(".") ? String(host.dropLast()) : host
        // Numbers are no domain, whatever the list says about names that it does not know.
        if name.utf8.last.map({ (0x30...0x39).contains($0) }) ?? true || name.utf8.contains(0x3A) { return name }
        return name.withCString { text in psl_registrable_domain(suffixes, text).map { String(cString: $0) } } ?? name
    }

    private func task(of key: String) -> Int {
        Int(Checksum.of(Data(key.utf8)).multipliedFullWidth(by: tasks).high)
    }

    /// The host of an address that is written as most are, in small letters; nil where more than a glance is needed.
    private static func plainHost(of bytes: UnsafeBufferPointer<UInt8>) -> UnsafeRawBufferPointer? {
        let start: Int
        if bytes.hasPrefix("https://") {
            start = 8
        } else if bytes.hasPrefix("http://") {
            start = 7
        } else {
            return nil
        }
        var (end, hasDot) = (start, false)
        scan: while end < bytes.count {
            switch bytes[end] {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"):
                end += 1
            case UInt8(ascii: "."):
                hasDot = true
                end += 1
            case UInt8(ascii: "/"): break scan
            default: return nil
            }
        }
        // What ends in a digit may be an IP address that is written in an unusual way.
        guard hasDot, end < bytes.count, (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(bytes[end - 1]) else {
            return nil
        }
        return UnsafeRawBufferPointer(UnsafeBufferPointer(rebasing: bytes[start..<end]))
    }
}

extension UnsafeBufferPointer<UInt8> {
    /// The same as `starts(with:)`, which goes by way of iterators and took 4 % of the time of a plan.
    func hasPrefix(_ text: StaticString) -> Bool {
        guard let baseAddress, count >= text.utf8CodeUnitCount else { return false }
        return memcmp(baseAddress, text.utf8Start, text.utf8CodeUnitCount) == 0
    }
}
