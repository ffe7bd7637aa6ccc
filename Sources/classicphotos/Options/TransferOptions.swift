import PhotoDevelopment

/// The options that say how many transfers run, and how hosts are treated.
enum TransferOptions {
    static func add(to parser: inout OptionParser) {
        parser.value("connections", "N", "Transfers at once, in all (default: 64)")
        parser.value("per-host", "N", "Transfers at once with one host (default: 8)")
        parser.value(
            "host-patience", "SEC",
            "The longest that a failing or busy host is left alone before it is given up (default: 60)")
        parser.value("rate", "N", "Requests a second to one host (default: as many as it takes)")
        parser.value("limit-rate", "SIZE", "Bytes a second, in all (default: as many as come)")
    }

    static func apply(_ values: OptionValues, to options: inout DevelopmentOptions) throws(UsageError) {
        options.connections = try values.number("connections", in: 1...10_000) ?? options.connections
        options.connectionsPerHost = try values.number("per-host", in: 1...10_000) ?? options.connectionsPerHost
        options.hostPatience = try values.seconds("host-patience", in: 0...86_400) ?? options.hostPatience
        options.requestsPerSecond = try rate(values)
        options.bytesPerSecond = try values.bytes("limit-rate", in: 1...1_000_000_000_000)
    }

    private static func rate(_ values: OptionValues) throws(UsageError) -> Double? {
        guard let text = values.text("rate") else { return nil }
        guard let rate = Double(text), (0.001...100_000).contains(rate) else {
            throw UsageError("--rate takes a number of requests a second, from 0.001 to 100000")
        }
        return rate
    }
}
