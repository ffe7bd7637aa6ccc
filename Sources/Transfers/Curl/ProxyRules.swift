/// Which proxy a transfer goes through: the one of the configuration, or one of the environment.
struct ProxyRules: Sendable {
    /// The proxy of the configuration, for all transfers, whatever the guards say: who names one wants nothing to go past it.
    private let named: String?
    private let environment: ProxyEnvironment?

    init(_ configuration: TransferClient.Configuration) {
        named = configuration.proxy?.text
        environment = named == nil && configuration.usesEnvironmentProxy ? configuration.proxyEnvironment : nil
    }

    /// The proxy for addresses of a scheme, but for the hosts that are excepted; empty for none.
    func proxy(for scheme: String, _ addressGuard: AddressGuard) -> String {
        if let named { return named }
        return addressGuard.allowsEnvironmentProxy ? environment?.proxy(for: scheme) ?? "" : ""
    }

    /// The port of that proxy; nil where that cannot be told.
    func port(for scheme: String, _ addressGuard: AddressGuard) -> Int? {
        try? TransferProxy(proxy(for: scheme, addressGuard)).port
    }

    /// The hosts that are excepted, as a list in libcurl's form; empty for none.
    /// - Parameter isRedirected: Whether a redirect has led there. What the proxy is not for lies in this network, where no
    ///   redirect leads.
    func exceptions(_ addressGuard: AddressGuard, isRedirected: Bool) -> String {
        isRedirected && !addressGuard.opensSpecialRanges ? "" : environment?.exceptions ?? ""
    }
}
