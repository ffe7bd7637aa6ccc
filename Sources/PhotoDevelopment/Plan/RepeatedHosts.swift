import Transfers

/// The domains of a plan that had the most rows, less the rows that were left out. For one thread.
struct RepeatedHosts {
    private let assignment: TaskAssignment
    private var domains: [(domain: String, rows: Int)]
    private let places: [String: Int]
    /// Where the domains of hosts are that came before; nil for one that has few rows.
    private var known: [String: Int?] = [:]
    private static let mostKnown = 1 << 14

    /// - Parameter assignment: Has seen all rows.
    init(among assignment: TaskAssignment) {
        self.assignment = assignment
        domains = assignment.domains(withAtLeast: 1)
        places = Dictionary(
            domains.enumerated().map { ($0.element.domain, $0.offset) }, uniquingKeysWith: { one, _ in one })
    }

    /// Counts a row that was left out.
    mutating func leaveOut(_ address: ResourceAddress) {
        guard case .web(let address) = address else { return }
        var host = address.host.lowercased()
        let place: Int?
        if let found = known[host] {
            place = found
        } else {
            place = places[host.withUTF8 { assignment.domain(of: UnsafeRawBufferPointer($0)) }]
            if known.count == Self.mostKnown { known.removeAll(keepingCapacity: true) }
            known[host] = .some(place)
        }
        if let place { domains[place].rows -= 1 }
    }

    /// The domains that have at least so many rows left, the largest first.
    func domains(withAtLeast least: Int) -> [(domain: String, rows: Int)] {
        domains.filter { $0.rows >= least }.sorted { ($1.rows, $0.domain) < ($0.rows, $1.domain) }
    }
}
