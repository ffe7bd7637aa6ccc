/// Figures in the text format that Prometheus reads, version 0.0.4.
///
/// A plain value. Each family of figures has its lines of help and type in front, and its samples behind it.
struct MetricsText {
    /// What a figure of a family is.
    enum Kind: String {
        /// It only rises while the program runs.
        case counter
        case gauge
    }

    /// A figure with what tells it from the others of its family.
    struct Sample {
        var labels: [(name: String, value: String)] = []
        var value: Double
    }

    private(set) var text = ""

    /// Adds a family.
    ///
    /// - Parameters:
    ///   - name: Its name, in base units; that of a counter ends in `_total`.
    ///   - kind: What its figures are.
    ///   - help: What it is about, in a sentence.
    ///   - samples: The figures.
    mutating func add(_ name: String, _ kind: Kind, _ help: String, _ samples: [Sample]) {
        begin(name, kind.rawValue, help)
        for sample in samples { add(name, sample.labels, sample.value) }
    }

    /// Adds a family of one figure.
    mutating func add(_ name: String, _ kind: Kind, _ help: String, _ value: Double) {
        add(name, kind, help, [Sample(value: value)])
    }

    /// Adds a family of histograms of seconds, which `label` tells apart.
    mutating func add(_ name: String, _ help: String, by label: String, _ histograms: [(String, DurationHistogram)]) {
        begin(name, "histogram", help)
        for (value, histogram) in histograms {
            var count = 0
            for (bound, more) in histogram.buckets {
                count += more
                let end = bound.map(Self.figure) ?? "+Inf"
                add(name + "_bucket", [(label, value), ("le", end)], Double(count))
            }
            add(name + "_sum", [(label, value)], histogram.sum)
            add(name + "_count", [(label, value)], Double(count))
        }
    }

    private mutating func begin(_ name: String, _ type: String, _ help: String) {
        text += "# HELP \(name) \(Self.escaped(help, quotes: false))\n# TYPE \(name) \(type)\n"
    }

    private mutating func add(_ name: String, _ labels: [(name: String, value: String)], _ value: Double) {
        text += name
        if !labels.isEmpty {
            let list = labels.map { "\($0.name)=\"\(Self.escaped($0.value, quotes: true))\"" }
            text += "{" + list.joined(separator: ",") + "}"
        }
        text += " \(Self.figure(value))\n"
    }

    private static func escaped(_ text: String, quotes: Bool) -> String {
        var escaped = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\\": escaped += "\\\\"
            case "\n": escaped += "\\n"
            case "\"" where quotes: escaped += "\\\""
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }

    /// A number as Go reads it; whole ones without a fraction, as far as they are exact.
    private static func figure(_ value: Double) -> String {
        if value.isNaN { return "NaN" }
        if value.isInfinite { return value < 0 ? "-Inf" : "+Inf" }
        return value == value.rounded() && value.magnitude < 0x1p53 ? "\(Int64(value))" : "\(value)"
    }
}
