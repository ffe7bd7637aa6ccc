public import Pixels

extension ImageTask {
    /// What there is to tell of a picture on its way, see ``updates``.
    public enum Update: Sendable {
        /// More of the transfer is there.
        case progress(Progress)
        /// The picture as far as it has come.
        case preview(Preview)
        /// The picture; nothing follows.
        case image(PixelBuffer)
    }

    /// How far a transfer is.
    public struct Progress: Hashable, Sendable {
        /// The bytes of the body that are there, after decompression, with those that an earlier attempt left.
        public let receivedByteCount: Int
        /// The bytes that the body is going to have; nil if the server does not say, and for a compressed body.
        public let expectedByteCount: Int?
    }

    /// A picture that is not all there yet: as large as the finished one will be, and coarser.
    public struct Preview: Sendable {
        /// The picture as far as it is known.
        public let image: PixelBuffer
        /// Whether the request's filter was applied. Functions that look at a pixel's neighbours (`blur()`,
        /// `drop-shadow()`), and processors of one's own, may cost more than a preview is worth; nothing of a chain with one
        /// of them is applied.
        public let isFiltered: Bool
    }
}
