/// How a peer's cost per operation grows from the smallest size to the largest that it was given.
struct Growth: Codable {
    let shape: String
    let peer: String
    let from: Int
    let to: Int
    /// 1 if the cost is the same.
    let factor: Double

    /// In the order of the peers; nil for one without two sizes.
    static func all(of measurements: [Measurement]) -> [Growth?] {
        peers.map { peer in
            let taken = measurements.compactMap { measurement in
                measurement.value(of: peer.name).map { (measurement.size, $0) }
            }
            guard let first = taken.first, let last = taken.last, first.0 < last.0 else { return nil }
            return Growth(
                shape: measurements[0].shape, peer: peer.name, from: first.0, to: last.0, factor: last.1 / first.1)
        }
    }

    /// The factor, and its end where that is not the largest size of all.
    func text(of measurements: [Measurement]) -> String {
        times(factor) + (to == measurements.last?.size ? "" : " to \(grouped(Double(to)))")
    }
}
