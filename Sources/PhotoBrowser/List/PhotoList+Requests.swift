public import PhotoPipeline

extension PhotoList {
    /// What to ask the pipeline for, to have a photo at another size than the list's, or why it cannot be had.
    ///
    /// - Parameters:
    ///   - photo: A photo of the catalog.
    ///   - longestSide: The longest side in pixels; nil for the size that it was published in.
    public func request(for photo: Photo.ID, longestSide: Int?) -> Result<ImageRequest, PhotoError> {
        catalog[photo.index].content
            .mapError { PhotoError($0) }
            .map { address in
                ImageRequest(
                    address: address, longestSide: longestSide, allowsLocalFiles: !catalog.origin.isRemote)
            }
    }
}
