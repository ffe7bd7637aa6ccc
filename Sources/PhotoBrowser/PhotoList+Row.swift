public import PhotoPipeline

extension PhotoList {
    /// What a row shows.
    public struct Row: Identifiable, Sendable {
        /// The photo, which stays the same however rows move.
        public let id: Photo.ID
        /// The name as the catalog gives it; it may hold any characters.
        public let name: String
        /// How far the photo has come, and why it failed if it did.
        public let state: Photo.State
        /// The filtered picture, or the published one until that is there, or nothing yet.
        ///
        /// After another filter was chosen it is the one with the former filter until the new one is there.
        public let picture: PixelBuffer?
    }
}
