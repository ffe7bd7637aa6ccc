import Pixels
import Transfers

/// What stages, and pictures in memory, are found by: a file, the picture that is decoded from it, or what steps have made of that.
///
/// Each table has keys of one kind; what does not matter to that kind is the same in all of them.
struct ImageKey: Hashable, Sendable {
    private let source: Source
    /// How the caches are used: those with another policy mean another transfer.
    private(set) var policy: CachePolicy
    private(set) var resize: Resize?
    private(set) var processing = ProcessingChain.none
    /// Who is shown the file before it is decoded. What is decoded for somebody who looks at files is nobody else's, as it may be
    /// given up behind that.
    private(set) var observer: FetchObserver?
    /// Of all but the policy: a photo that is asked for is looked up in nine tables.
    private var digest: Int

    /// The decoded picture of a request.
    /// - Parameter headers: All that the request is sent with.
    init(_ request: ImageRequest, _ headers: RequestHeaders) {
        source = Source(request, headers)
        policy = request.cachePolicy
        resize = request.resize
        observer = request.fetchObserver
        digest = Self.digest(source.digest, resize)
    }

    var address: ResourceAddress { source.address }
    var headers: RequestHeaders { source.headers }
    /// The bytes of the address and the headers.
    var textByteCount: Int {
        headers.names.reduce(address.text.utf8.count) { $0 + $1.utf8.count + (headers.value(of: $1)?.utf8.count ?? 0) }
    }

    /// The file that the picture is decoded from.
    var file: ImageKey {
        var key = self
        (key.resize, key.processing, key.observer, key.digest) = (nil, .none, nil, source.digest)
        return key
    }

    /// What steps make of the decoded picture.
    func processed(_ processing: ProcessingChain) -> ImageKey {
        guard processing != self.processing else { return self }
        var key = self
        key.processing = processing
        key.digest = Self.digest(source.digest, resize)
        if !processing.isEmpty { key.digest = Self.digest(key.digest, processing) }
        return key
    }

    /// What the same picture has in memory, whatever the policy.
    var inMemory: ImageKey {
        var key = self
        key.policy = .standard
        return key
    }

    static func == (left: ImageKey, right: ImageKey) -> Bool {
        left.digest == right.digest && left.policy == right.policy && left.resize == right.resize
            && left.processing == right.processing && left.observer == right.observer
            && (left.source === right.source || left.source == right.source)
    }

    func hash(into hasher: inout Hasher) { hasher.combine(digest) }

    private static func digest(_ before: Int, _ part: some Hashable) -> Int {
        var hasher = Hasher()
        hasher.combine(before)
        hasher.combine(part)
        return hasher.finalize()
    }

    /// Where a picture comes from, and what the one who asks may see.
    private final class Source: Equatable, Sendable {
        let address: ResourceAddress
        let allowsLocalFiles: Bool
        let addressGuard: AddressGuard
        let headers: RequestHeaders
        let digest: Int

        init(_ request: ImageRequest, _ headers: RequestHeaders) {
            address = request.address
            allowsLocalFiles = request.allowsLocalFiles
            addressGuard = request.addressGuard
            self.headers = headers
            var hasher = Hasher()
            hasher.combine(address)
            hasher.combine(allowsLocalFiles)
            hasher.combine(addressGuard)
            hasher.combine(headers)
            digest = hasher.finalize()
        }

        static func == (left: Source, right: Source) -> Bool {
            left.address == right.address && left.allowsLocalFiles == right.allowsLocalFiles
                && left.addressGuard == right.addressGuard && left.headers == right.headers
        }
    }
}
