import Foundation

/// Reads Prometheus' text format as strictly as `promtool check metrics` does, and somewhat more.
struct PrometheusText {
    struct Malformed: Error, CustomStringConvertible {
        let description: String
    }

    struct Sample {
        let name: String
        let labels: [String: String]
        let value: Double
    }

    private(set) var samples: [Sample] = []
    /// By the names of families.
    private(set) var types: [String: String] = [:]

    init(_ text: String) throws {
        guard text.hasSuffix("\n") else { throw Malformed(description: "the last line has no end") }
        var helped: Set<String> = []
        var current = ""
        var seen: Set<String> = []
        for line in text.split(separator: "\n", omittingEmptySubsequences: false).dropLast() {
            if line.hasPrefix("#") {
                let parts = line.split(separator: " ", maxSplits: 3).map(String.init)
                guard parts.count == 4, parts[0] == "#" else { throw Malformed(description: "\(line)") }
                switch parts[1] {
                case "HELP":
                    guard helped.insert(parts[2]).inserted else { throw Malformed(description: "twice: \(line)") }
                case "TYPE":
                    guard helped.contains(parts[2]), types[parts[2]] == nil,
                        ["counter", "gauge", "histogram"].contains(parts[3])
                    else { throw Malformed(description: "\(line)") }
                    types[parts[2]] = parts[3]
                    current = parts[2]
                default: throw Malformed(description: "\(line)")
                }
                continue
            }
            let sample = try Self.sample(line)
            let family =
                types[current] == "histogram"
                ? ["_bucket", "_sum", "_count"].first { sample.name == current + $0 }.map { _ in current }
                : sample.name == current ? current : nil
            guard family != nil else { throw Malformed(description: "out of place: \(line)") }
            let key = sample.name + sample.labels.sorted { $0.key < $1.key }.description
            guard seen.insert(key).inserted else { throw Malformed(description: "twice: \(line)") }
            samples.append(sample)
        }
        try checkNames()
        try checkHistograms()
    }

    /// The figure with a name and, among others, these labels; nil where there is not exactly one.
    func value(_ name: String, _ labels: [String: String] = [:]) -> Double? {
        let found = samples.filter { sample in
            sample.name == name && labels.allSatisfy { sample.labels[$0.key] == $0.value }
        }
        return found.count == 1 ? found[0].value : nil
    }

    /// All figures of a name together.
    func sum(_ name: String) -> Double { samples.filter { $0.name == name }.reduce(0) { $0 + $1.value } }

    private func checkNames() throws {
        for (name, type) in types {
            guard name.wholeMatch(of: /classicphotos_[a-z][a-z0-9_]*/) != nil,
                name.hasSuffix("_total") == (type == "counter"),
                !name.hasSuffix("_count"), !name.hasSuffix("_sum"), !name.contains("milli"), !name.contains("_ms")
            else { throw Malformed(description: "\(name) is a bad name for a \(type)") }
        }
        for sample in samples {
            for label in sample.labels.keys where label.wholeMatch(of: /[a-z_]+/) == nil || label.hasPrefix("__") {
                throw Malformed(description: "\(label) is a bad label")
            }
        }
    }

    private func checkHistograms() throws {
        for (name, type) in types where type == "histogram" {
            let buckets = Dictionary(grouping: samples.filter { $0.name == name + "_bucket" }) { sample in
                sample.labels.filter { $0.key != "le" }
            }
            for (labels, buckets) in buckets {
                let bounds = buckets.compactMap { $0.labels["le"].flatMap(Self.number) }
                guard bounds.count == buckets.count, bounds == bounds.sorted(), bounds.last == .infinity,
                    buckets.map(\.value) == buckets.map(\.value).sorted(), value(name + "_sum", labels) != nil,
                    value(name + "_count", labels) == buckets.last?.value
                else { throw Malformed(description: "\(name) \(labels) is no histogram") }
            }
        }
    }

    private static func number(_ text: String) -> Double? {
        switch text {
        case "+Inf": .infinity
        case "-Inf": -.infinity
        default: Double(text)
        }
    }

    private static func sample(_ line: Substring) throws -> Sample {
        var rest = line
        let name = rest.prefix { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_" || $0 == ":") }
        rest = rest.dropFirst(name.count)
        var labels: [String: String] = [:]
        if rest.first == "{" {
            repeat {
                rest = rest.dropFirst()
                let label = rest.prefix { $0 != "=" }
                rest = rest.dropFirst(label.count)
                guard rest.hasPrefix("=\"") else { throw Malformed(description: "\(line)") }
                rest = rest.dropFirst(2)
                var value = ""
                while let character = rest.popFirst(), character != "\"" {
                    guard character == "\\" else {
                        value.append(character)
                        continue
                    }
                    switch rest.popFirst() {
                    case "n": value.append("\n")
                    case "\\": value.append("\\")
                    case "\"": value.append("\"")
                    default: throw Malformed(description: "\(line)")
                    }
                }
                guard labels.updateValue(value, forKey: String(label)) == nil else {
                    throw Malformed(description: "\(line)")
                }
            } while rest.first == ","
            guard rest.popFirst() == "}" else { throw Malformed(description: "\(line)") }
        }
        guard !name.isEmpty, rest.popFirst() == " ", let value = number(String(rest)) else {
            throw Malformed(description: "\(line)")
        }
        return Sample(name: String(name), labels: labels, value: value)
    }
}
