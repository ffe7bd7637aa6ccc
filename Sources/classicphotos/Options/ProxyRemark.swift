import PhotoDevelopment
import PhotoPipeline
import Transfers
import Wording

/// What is said where photos go past a proxy on which somebody may count.
enum ProxyRemark {
    /// Says on standard error that photos of a catalog that came over the network do not go through the environment's proxy. Where
    /// nothing else leads out of a network, each of them fails with a time limit, which does not say why.
    static func tell(_ catalog: Catalog, _ options: DevelopmentOptions) {
        guard case .remote = catalog.origin, options.proxy == nil, options.usesEnvironmentProxy,
            !options.allowsPrivateAddresses, !ProxyEnvironment.current.isEmpty
        else { return }
        let sentence = tr(
            "the photos of a catalog at an address do not go through the proxy of the environment; --proxy names one for them"
        )
        Console.warn("classicphotos: \(sentence)\n")
    }
}
