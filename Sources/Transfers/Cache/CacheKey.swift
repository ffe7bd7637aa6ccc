/// Under which name an answer is kept.
///
/// What was fetched under an open guard, perhaps through a proxy, is not for those with a stricter one. The address is not in
/// it: signed addresses let in whoever reads them, and which ones were asked for is nobody else's business.
enum CacheKey {
    /// What the keys of an address begin with.
    private static let prefixes = ["open ", "named ", "guarded "]

    static func text(_ address: WebAddress, _ addressGuard: AddressGuard) -> String {
        prefixes[addressGuard.opensSpecialRanges ? 0 : addressGuard.allowsProxy ? 1 : 2]
            + AddressFingerprint.of(address.text)
    }

    /// The keys of an address under all guards.
    static func all(_ address: WebAddress) -> [String] {
        let fingerprint = AddressFingerprint.of(address.text)
        return prefixes.map { $0 + fingerprint }
    }
}
