import CPSL
import FoundationEssentials
import PhotoPipeline
import Transfers

/// Which task a row belongs to.
///
/// All rows of a registrable domain, such as `example.org` for `img1.example.org`, are in one task, so that what one process asks of a
/// host is what the whole run asks of it. Rows without a domain are spread by their IP address, or by their address. The same rows come
/// to the same tasks on every machine with the same list of public suffixes.
struct TaskAssignment {
    private static let mostKnown = 200_000

    private let tasks: UInt64
    private let suffixes = psl_builtin()
    /// Of hosts that came before, so that the list of suffixes is asked once for most.
    private var byHost: [String: Place] = [:]

    /// Where a row belongs.
    struct Place {
        let task: Int
        /// What its task was chosen by; nil where that is the row's own address.
        let domain: String?
    }

    /// - Parameter tasks: How many tasks there are, at least 1.
    init(tasks: Int) {
        self.tasks = UInt64(max(1, tasks))
    }

    /// The task of a row.
    ///
    /// - Parameters:
    ///   - address: The row's address as it stands.
    ///   - content: What it means; asked where that does not show at once.
    ///   - number: The row's number.
    mutating func place(
        of address: String, _ content: @autoclosure () -> Result<ResourceAddress, CatalogEntryError>, number: Int
    ) -> Place {
        if let host = Self.plainHost(of: address) { return place(ofHost: host) }
        switch content() {
        case .success(.web(let address)): return place(ofHost: address.host.lowercased())
        case .success(let other): return Place(task: task(of: other.text), domain: nil)
        case .failure: return Place(task: task(of: address.isEmpty ? "\(number)" : address), domain: nil)
        }
    }

    private mutating func place(ofHost host: String) -> Place {
        if let place = byHost[host] { return place }
        let domain = domain(of: host)
        let place = Place(task: task(of: domain), domain: domain)
        if byHost.count >= Self.mostKnown { byHost.removeAll(keepingCapacity: true) }
        byHost[host] = place
        return place
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
    private static func plainHost(of address: String) -> String? {
        var address = address
        return address.withUTF8 { bytes in
            let start: Int
            if bytes.starts(with: "https://".utf8) {
                start = 8
            } else if bytes.starts(with: "http://".utf8) {
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
            return String(decoding: bytes[start..<end], as: UTF8.self)
        }
    }
}
