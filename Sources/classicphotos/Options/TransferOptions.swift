import PhotoDevelopment
import Transfers
import Wording

/// The options that say how many transfers run, and how hosts are treated.
enum TransferOptions {
    static func add(to parser: inout OptionParser) {
        parser.value("connections", "N", "Transfers at once, in all (default: 64)")
        parser.value("per-host", "N", "Transfers at once with one scheme, host and port (default: 8)")
        parser.value(
            "host-patience", "SEC",
            "The longest that a failing or busy host is left alone before it is given up (default: 60)")
        parser.value(
            "rate", "N", "Requests a second to one host, redirects and retries included (default: as many as it takes)")
        parser.value("limit-rate", "SIZE", "Bytes a second, in all (default: as many as come)")
        parser.flag("robots", "Ask each host for its robots.txt, and fetch nothing that it forbids")
        parser.value("respect", "WORDS", "Leave out what an X-Robots-Tag of these says: noai,noimageai,noindex,…")
        HeaderOptions.add(to: &parser)
        parser.value("user-agent", "TEXT", "What the program calls itself (default: ClassicPhotos)")
        parser.value(
            "proxy", "ADDRESS|off", "For photos and catalogs (default: what the environment says, see below); off: none"
        )
        parser.value("ca-file", "FILE", "The authorities to trust instead of the system's (PEM)")
    }

    static let help = """
        \(HeaderOptions.help)

        A proxy's address is http://, https:// or socks5h:// with a host and a port, before the host USER:PASSWORD@ if
        need be. Without --proxy the variables http_proxy, https_proxy, all_proxy and no_proxy count, which are also the place
        for a password. They do not count for the photos of a catalog at an address, unless --allow-private is given, as a
        proxy looks names up by itself. For an object store they alone count: neither --proxy nor --ca-file does.
        """

    static func apply(_ values: OptionValues, to options: inout DevelopmentOptions) throws(UsageError) {
        options.connections = try values.number("connections", in: 1...10_000) ?? options.connections
        options.connectionsPerHost = try values.number("per-host", in: 1...10_000) ?? options.connectionsPerHost
        options.hostPatience = try values.seconds("host-patience", in: 0...86_400) ?? options.hostPatience
        options.requestsPerSecond = try rate(values)
        options.bytesPerSecond = try values.bytes("limit-rate", in: 1...1_000_000_000_000)
        options.obeysRobots = values.has("robots")
        options.respectedDirectives = try directives(values)
        let headers = try HeaderOptions.headers(values)
        if !headers.isEmpty { options.requestHeaders = { _ in headers } }
        options.userAgent = values.text("user-agent") ?? options.userAgent
        options.certificateAuthorities = values.text("ca-file")
        switch values.text("proxy") {
        case nil: break
        case "off": options.usesEnvironmentProxy = false
        case let address?: options.proxy = try proxy(address)
        }
        try check(options)
    }

    private static func proxy(_ address: String) throws(UsageError) -> TransferProxy {
        do throws(TransferProxy.ParsingError) {
            return try TransferProxy(address)
        } catch {
            throw UsageError("--proxy: \(Message(text: "\(error)"))")
        }
    }

    /// What would make each transfer fail is said before the first one.
    private static func check(_ options: DevelopmentOptions) throws(UsageError) {
        do throws(TransferClient.ConfigurationError) {
            try options.catalogClient.check()
        } catch {
            switch error {
            case .userAgent: throw UsageError("--user-agent: \(Message(text: "\(error)"))")
            case .certificateAuthorities(let path, let reason):
                throw UsageError("--ca-file: \(path.printable): \(reason)")
            }
        }
    }

    private static func directives(_ values: OptionValues) throws(UsageError) -> Set<String> {
        guard let text = values.text("respect") else { return [] }
        let words = text.lowercased().split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        for word in words
        where word.isEmpty || !word.utf8.allSatisfy({ 0x61...0x7A ~= $0 || $0 == 0x2D || $0 == 0x5F }) {
            throw UsageError(
                "--respect takes words of X-Robots-Tag such as noai,noimageai,noindex, not \(text.printable)")
        }
        return Set(words)
    }

    private static func rate(_ values: OptionValues) throws(UsageError) -> Double? {
        guard let text = values.text("rate") else { return nil }
        guard let rate = Double(text), (0.001...100_000).contains(rate) else {
            throw UsageError("--rate takes a number of requests a second, from 0.001 to 100000")
        }
        return rate
    }
}
