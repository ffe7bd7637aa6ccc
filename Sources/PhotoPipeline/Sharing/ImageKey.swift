import Pixels
import Transfers

/// Where a picture comes from, and what the one who asks may see.
struct SourceKey: Hashable, Sendable {
    let address: ResourceAddress
    let allowsLocalFiles: Bool
    let addressGuard: AddressGuard
    /// All that the request is sent with.
    let headers: RequestHeaders
    /// Of all of these: a photo that is asked for is looked up in nine tables.
    private let digest: Int

    init(_ request: ImageRequest) {
        address = request.address
        allowsLocalFiles = request.allowsLocalFiles
        addressGuard = request.addressGuard
        headers = request.headers
        var hasher = Hasher()
        hasher.combine(address)
        hasher.combine(allowsLocalFiles)
        hasher.combine(addressGuard)
        hasher.combine(headers)
        digest = hasher.finalize()
    }

    func hash(into hasher: inout Hasher) { hasher.combine(digest) }
}

/// A transfer that can be shared: those with another policy mean another one.
struct FetchKey: Hashable, Sendable {
    let source: SourceKey
    let policy: CachePolicy
}

/// A decoding that can be shared.
struct DecodeKey: Hashable, Sendable {
    let fetch: FetchKey
    let resize: Resize?

    init(_ request: ImageRequest) {
        fetch = FetchKey(source: SourceKey(request), policy: request.cachePolicy)
        resize = request.resize
    }
}

/// A step of what is done to a picture, with all steps before it, that can be shared.
struct FilterKey: Hashable, Sendable {
    let decode: DecodeKey
    let processing: ProcessingChain
}

/// A picture in memory: the decoded one, or what steps have made of it.
struct ImageKey: Hashable, Sendable {
    let source: SourceKey
    let resize: Resize?
    let processing: ProcessingChain
}
