/// Under which name an answer is kept.
///
/// What was fetched under an open guard, perhaps through a proxy, is not for those with a stricter one. The address is not in
/// it: signed addresses let in whoever reads them, and which ones were asked for is nobody else's business.
enum CacheKey {
    /// What the keys of an address begin with.
    private static let prefixes = ["open ", "named ", "guarded "]

    /// - Parameter headers: What the request is sent with; another request with others has another key. They are hashed together
    ///   with the address, so that the key does not tell where somebody uses the same ones.
    static func text(_ address: WebAddress, _ addressGuard: AddressGuard, _ headers: RequestHeaders) -> String {
        let key =
            prefixes[addressGuard.opensSpecialRanges ? 0 : addressGuard.allowsEnvironmentProxy ? 1 : 2]
            + AddressFingerprint.of(address.text)
        return headers.isEmpty ? key : "\(key) \(AddressFingerprint.of("\(address.text)\n\(headers.text)"))"
    }

    /// The keys of an address under all guards, for requests without headers; those of others begin with one of them and a
    /// space.
    static func all(_ address: WebAddress) -> [String] {
        let fingerprint = AddressFingerprint.of(address.text)
        return prefixes.map { $0 + fingerprint }
    }
}
