/// Under which name an answer is kept.
///
/// What was fetched under an open guard, perhaps through a proxy, is not for those with a stricter one.
enum CacheKey {
    /// What the keys of an address begin with.
    static let prefixes = ["open ", "named ", "guarded "]

    static func text(_ address: WebAddress, _ addressGuard: AddressGuard) -> String {
        prefixes[addressGuard.opensSpecialRanges ? 0 : addressGuard.allowsProxy ? 1 : 2] + address.text
    }
}
