import Catalogs
public import PhotoPipeline

extension PhotoList {
    /// What a row shows.
    public struct Row: Identifiable, Sendable {
        /// The photo, which stays the same however rows move.
        public let id: Photo.ID
        /// The name as the catalog gives it, of a very long one the beginning; it may hold any characters. Where that is white space
        /// alone, the name that the photo would have without it, see ``/Catalogs/Catalog/Row/name``.
        public let name: String
        /// How far the photo has come, and why it failed if it did.
        public let state: Photo.State
        /// The picture with its look, or the published one until that is there, or nothing yet.
        ///
        /// After another look was chosen it is the one with the former look until the new one is there.
        public let image: PixelBuffer?
        /// The picture as it was published; nothing where it was not fetched, or let go.
        public let original: PixelBuffer?
        /// How large the photo was published, which ``image`` may be smaller than; nil where nothing of it is there yet.
        public internal(set) var publishedSize: PixelSize? = nil
        /// What is wrong with the data of the picture, parts of which are then grey or of wrong colours; nil for a sound one.
        public internal(set) var damage: String? = nil
        /// Longer names than so many bytes are cut: to lay a text of megabytes out would stop the window.
        static let longestName = 1_000
        /// How much of its transfer is there, from 0 to 1, see ``PhotoList/progress(of:)``.
        public internal(set) var progress: Double? = nil
        /// The stage that it waits for, where that one's queue is suspended, see ``PhotoList/awaitedStage(of:)``.
        public internal(set) var suspendedStage: Stage? = nil
        /// What a view says of it besides, such as the look that it has of its own; nil, the default, for nothing.
        public var remark: String? = nil
    }

    /// What a photo's row shows at present.
    public subscript(photo: Photo.ID) -> Row {
        let record = state.records[photo]
        return Row(
            id: photo, name: catalog[photo.index].caption.shortened(toBytes: Row.longestName),
            state: record?.state ?? .new, image: record?.shown?.pixels,
            original: record?.original?.pixels,
            publishedSize: (record?.original ?? record?.shown)?.sizeAsPublished,
            damage: record?.shown?.damage, progress: progress(of: photo), suspendedStage: suspendedStage(of: photo))
    }
}
