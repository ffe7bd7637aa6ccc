/// What is printed of one shape: a row for each size, its cold row, how cost grows, and who is missing and why.
struct ShapeReport {
    let shape: any Shape
    let measurements: [Measurement]

    var text: String {
        var table = Table(["\(shape.sizeTitle)"] + peers.map(\.name))
        var notes: [String] = []

        func mark(_ absence: String) -> String {
            if !notes.contains(absence) { notes.append(absence) }
            return "– [\((notes.firstIndex(of: absence) ?? 0) + 1)]"
        }
        for measurement in measurements {
            table.add(
                [grouped(Double(measurement.size))]
                    + measurement.results.map { result in
                        guard let median = result.median else { return mark(result.absence ?? "failed") }
                        let value = shape.unit.text(median)
                        guard let ratio = result.ratioToOurs, result.peer != peers[0].name else { return value }
                        return "\(value) (\(times(ratio)))"
                    })
            guard !shape.isMeasuredColdOnly else { continue }
            table.add(
                ["  first round"] + measurement.results.map { $0.coldMedian.map(shape.unit.text) ?? "" })
        }
        if measurements.count > 1 {
            table.add(["  growth"] + Growth.all(of: measurements).map { $0?.text(of: measurements) ?? "" })
        }
        let lines = notes.enumerated().map { "  [\($0 + 1)] \($1)" }
        return (["\(shape.title): \(shape.unit.rawValue)", "", table.text] + lines).joined(separator: "\n")
    }
}
