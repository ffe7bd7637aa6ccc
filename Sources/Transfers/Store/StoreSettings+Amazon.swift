/// Where Amazon's own stores are.
extension StoreSettings {
    /// The domains of those parts of Amazon's cloud that have others than the rest, by what the names of their regions begin
    /// with; from `partitions.json`, which Amazon's own tools go by.
    private static let domains = [
        "cn-": "amazonaws.com.cn", "eu-isoe-": "cloud.adc-e.uk", "eusc-": "amazonaws.eu", "us-iso-": "c2s.ic.gov",
        "us-isob-": "sc2s.sgov.gov", "us-isof-": "csp.hci.ic.gov",
    ]

    /// The host of Amazon's stores in the region.
    var amazonHost: String {
        if region == "us-east-1" { return "s3.amazonaws.com" }
        let domain = Self.domains.first { region.hasPrefix($0.key) }?.value ?? "amazonaws.com"
        return "s3.\(region).\(domain)"
    }
}
