import PhotoPipeline

extension PhotoList {
    /// What a list's transfers were good for.
    public struct Traffic: Sendable {
        /// The bytes of all transfers that have ended, cancelled ones too.
        public private(set) var received = 0
        /// The most photos that were asked for and not there yet.
        public private(set) var longestLine = 0
        private var unseen: [Photo.ID: (bytes: Int, isPrefetch: Bool)] = [:]

        /// Nothing has been received yet.
        public init() {}

        /// The bytes of photos that were started because they were on screen, and whose pictures never were.
        public var wasted: Int { unseen.values.reduce(0) { $1.isPrefetch ? $0 : $0 + $1.bytes } }
        /// The bytes of photos that were fetched ahead, and whose pictures never were on screen.
        public var unseenAhead: Int { unseen.values.reduce(0) { $1.isPrefetch ? $0 + $1.bytes : $0 } }

        mutating func add(_ bytes: Int, of photo: Photo.ID, isPrefetch: Bool, isSeen: Bool) {
            received += bytes
            guard !isSeen, bytes > 0 else { return }
            let before = unseen[photo] ?? (0, true)
            unseen[photo] = (before.bytes + bytes, before.isPrefetch && isPrefetch)
        }

        mutating func line(of count: Int) { longestLine = max(longestLine, count) }

        mutating func saw(_ photo: Photo.ID) { unseen[photo] = nil }
    }
}
