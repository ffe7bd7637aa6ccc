/// What is printed of one shape: a row for each size, its cold row, how cost grows, and who is missing and why.
struct ShapeReport {
    let shape: any Shape
    let measurements: [Measurement]

    /// Peers that took part at one size at least; the rest gets no column.
    private var columns: [Int] {
        peers.indices.filter { index in measurements.contains { $0.results[index].median != nil } }
    }

    var text: String {
        let columns = columns
        var table = Table([shape.sizeTitle] + columns.map { peers[$0].name })
        for measurement in measurements {
            let results = columns.map { measurement.results[$0] }
            table.add([grouped(Double(measurement.size))] + results.map(cell))
            guard !shape.isMeasuredColdOnly else { continue }
            table.add(["  first round"] + results.map { $0.coldMedian.map(shape.unit.text) ?? "" })
        }
        if measurements.count > 1 {
            let growth = Growth.all(of: measurements)
            table.add(["  growth"] + columns.map { growth[$0]?.text(of: measurements) ?? "" })
        }
        return (["\(shape.title): \(shape.unit.rawValue)", "", table.text] + notes).joined(separator: "\n")
    }

    private func cell(_ result: Measurement.Result) -> String {
        guard let median = result.median else { return "–" }
        let value = shape.unit.text(median)
        guard let ratio = result.ratioToOurs, result.peer != peers[0].name else { return value }
        return "\(value) (\(times(ratio)))"
    }

    /// Why there are dashes, what to know of those who took part, and why others did not.
    private var notes: [String] {
        let columns = columns
        return peers.indices.flatMap { index in
            let name = peers[index].name
            var seen: Set<String> = []
            let absences = measurements.compactMap { measurement -> String? in
                guard
                    let absence = measurement.results[index].absence, absence != Measurement.notAsked,
                    seen.insert(absence).inserted
                else { return nil }
                guard columns.contains(index) else { return "  \(name) takes no part: \(absence)" }
                return "  \(name) at \(grouped(Double(measurement.size))): \(absence)"
            }
            guard columns.contains(index), let remark = peers[index].remarks[shape.kind] else { return absences }
            return ["  \(name): \(remark)"] + absences
        }
    }
}
