/// What tells one address from another: 128 bits of which one is always set, twice SipHash with this process's random key.
///
/// Two addresses of one digest would lose a photo. With so many bits chance does not bring that about: among a thousand million addresses
/// it is one in 10^20. Nobody can choose addresses that come out alike either, as nobody knows the key. For the same reason a
/// digest means nothing outside this process.
struct AddressDigest: BitwiseCopyable, Hashable {
    let first: UInt64
    let second: UInt64

    /// That of a row that no other one repeats.
    static let none = AddressDigest(first: 0, second: 0)

    private init(first: UInt64, second: UInt64) { (self.first, self.second) = (first, second) }

    /// - Parameter address: As it is written; an empty one is like no other.
    init(of address: UnsafeBufferPointer<UInt8>) {
        guard !address.isEmpty else {
            self = .none
            return
        }
        // One bit is set, so that it is not the one above.
        self.init(first: Self.sum(address, 1) | 1, second: Self.sum(address, 2))
    }

    private static func sum(_ address: UnsafeBufferPointer<UInt8>, _ number: UInt64) -> UInt64 {
        var hasher = Hasher()
        hasher.combine(number)
        hasher.combine(bytes: UnsafeRawBufferPointer(address))
        return UInt64(bitPattern: Int64(hasher.finalize()))
    }
}
