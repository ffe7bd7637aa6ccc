import Transfers

/// How many rows of each host are in the client's lines, and which rows are kept back behind those.
///
/// A plain value. A row in a line costs about a hundred bytes, as the client knows it. One that is kept back is only a number, and is read
/// again when its host has come so far; so a host with millions of rows at the front of a catalog does not keep the hosts behind it from
/// being found.
struct HostLines {
    private struct Line {
        /// Rows in the client's line.
        var count = 0
        /// Rows behind those.
        var kept = RowNumbers()
    }

    /// So many rows of a host are always in line, if it has as many.
    private let length: Int
    private let mostBytes: Int
    private var lines: [WebAddress.Origin: Line] = [:]
    private var byteCount = 0

    /// - Parameters:
    ///   - connectionsPerHost: How many transfers a host has at most.
    ///   - mostBytes: The most memory that rows which are kept back may take. The default has room for 30 million rows of hosts that
    ///     take turns, and for any number where each host's rows follow each other.
    init(connectionsPerHost: Int, mostBytes: Int = 64_000_000) {
        // While as many start as there are transfers, as many are read again.
        length = max(16, 2 * connectionsPerHost)
        self.mostBytes = mostBytes
    }

    /// Whether more may be kept back.
    var hasRoom: Bool { byteCount < mostBytes }

    /// A row is to go into its host's line.
    ///
    /// - Parameter mayKeepBack: Whether it need not, as there are enough rows in lines.
    /// - Returns: Whether it is in line, and not kept back. Where some of its host's rows are kept back, it is as well: rows of a host
    ///   keep their order.
    mutating func enter(_ row: Int, of host: WebAddress.Origin, mayKeepBack: Bool) -> Bool {
        func isInLine(_ line: inout Line) -> Bool {
            guard !line.kept.isEmpty || mayKeepBack && line.count >= length else {
                line.count += 1
                return true
            }
            let before = line.kept.byteCount
            line.kept.append(row)
            byteCount += line.kept.byteCount - before
            return false
        }
        return isInLine(&lines[host, default: Line()])
    }

    /// A row goes into its host's line again, before those that are kept back.
    mutating func enterAgain(_ host: WebAddress.Origin) {
        lines[host, default: Line()].count += 1
    }

    /// A row has left its host's line.
    ///
    /// - Returns: The row that comes into line for it, if one was kept back.
    mutating func leave(_ host: WebAddress.Origin) -> Int? {
        guard var line = lines.removeValue(forKey: host) else { return nil }
        let before = line.kept.byteCount
        line.count -= 1
        let next = line.count < length ? line.kept.popFirst() : nil
        if next != nil {
            line.count += 1
            byteCount += line.kept.byteCount - before
        }
        if line.count > 0 { lines[host] = line }
        return next
    }

    /// Forgets the rows that are kept back.
    ///
    /// - Parameter body: Called with each of them.
    mutating func dropKept(_ body: (Int) -> Void) {
        for (host, line) in lines where !line.kept.isEmpty {
            lines[host]?.kept = RowNumbers()
            var kept = line.kept
            while let row = kept.popFirst() { body(row) }
        }
        byteCount = 0
    }
}
