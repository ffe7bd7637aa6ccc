/// What came of one shape at one size.
struct Measurement: Codable {
    let shape: String
    let kind: ShapeKind
    let unit: Unit
    let size: Int
    let results: [Result]

    struct Result: Codable {
        let peer: String
        /// The median of the warm rounds; of the cold ones where there are no others. Nil where the peer took no part.
        var median: Double?
        /// The same by ours.
        var ratioToOurs: Double?
        /// Warm rounds, in one process for all peers, without the first.
        var warm: [Double] = []
        /// Rounds that each had a new process to themselves.
        var cold: [Double] = []
        /// Why the peer took no part.
        var absence: String?

        var coldMedian: Double? { Measurement.median(cold) }
    }

    func value(of peer: String) -> Double? { results.first { $0.peer == peer }?.median }
    func ratio(of peer: String) -> Double? { results.first { $0.peer == peer }?.ratioToOurs }

    /// The absence of a peer that is there for other shapes only, of which a reader need not be told.
    static let notAsked = "not asked to"

    static func median(_ values: [Double]) -> Double? {
        let sorted = values.sorted()
        guard let middle = sorted.indices.dropFirst(sorted.count / 2).first else { return nil }
        return sorted.count.isMultiple(of: 2) ? (sorted[middle - 1] + sorted[middle]) / 2 : sorted[middle]
    }

    /// Measures a shape of the list at a size.
    static func take(shape index: Int, size: Int, isQuick: Bool) throws -> Measurement {
        let shape = shapes[index]
        func child(_ peer: String?) throws -> [String: [Double]] {
            try Child(shape: index, size: size, isQuick: isQuick, peer: peer).run()
        }
        let warm = shape.isMeasuredColdOnly ? [:] : try child(nil)
        var results: [Result] = []
        for peer in peers {
            var result = Result(peer: peer.name)
            result.absence = shape.absence(of: peer, size: size)
            if result.absence == nil {
                result.warm = warm[peer.name] ?? []
                for _ in 0..<(shape.isMeasuredColdOnly && !isQuick ? 3 : 1) {
                    result.cold += try child(peer.name)[peer.name] ?? []
                }
                result.median = median(result.warm.isEmpty ? result.cold : result.warm)
                if result.median == nil { result.absence = "failed" }
            }
            if let ours = results.first?.median ?? result.median, let value = result.median {
                result.ratioToOurs = value / ours
            }
            results.append(result)
        }
        return Measurement(shape: shape.title, kind: shape.kind, unit: shape.unit, size: size, results: results)
    }
}
