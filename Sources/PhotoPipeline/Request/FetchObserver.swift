package import FoundationEssentials

/// Is shown a file that was fetched, before it is decoded.
package final class FetchObserver: Hashable, Sendable {
    private let whenFetched: @Sendable (Data, ImageMetrics) -> Void

    /// - Parameter whenFetched: Called on a thread of the decode queue with the file and where it came from, once for each decoding that
    ///   is made for the observer's requests. It may cancel them, and nothing is decoded then: the transfer is shared with
    ///   others, and the picture is not.
    package init(whenFetched: @escaping @Sendable (Data, ImageMetrics) -> Void) {
        self.whenFetched = whenFetched
    }

    func show(_ body: FetchedBody) { whenFetched(body.bytes, body.metrics) }

    package static func == (left: FetchObserver, right: FetchObserver) -> Bool { left === right }

    package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
