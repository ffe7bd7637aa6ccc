public import PhotoPipeline
import Transfers

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
                var addressGuard = catalog.addressGuard
                if allowsPrivateAddresses { addressGuard.opensSpecialRanges = true }
                return ImageRequest(
                    address: throughLoader(address), longestSide: longestSide,
                    allowsLocalFiles: !catalog.origin.isRemote,
                    addressGuard: addressGuard)
            }
    }

    /// Has a file come through the loader that the list's files come through.
    private func throughLoader(_ address: ResourceAddress) -> ResourceAddress {
        guard let scheme = fileScheme, case .file(let url) = address else { return address }
        return ResourceAddress(SlowNetwork.address(of: url, scheme: scheme))
    }

    /// What the list itself asks for.
    ///
    /// The pipeline makes filters at full strength. What is weaker is a stage of the list's own, as somebody may be trying out
    /// how strong it is to be: none of these pictures is kept in the pipeline's memory.
    func listRequest(for photo: Photo.ID) -> Result<ImageRequest, PhotoError> {
        request(for: photo, longestSide: nil).map { request in
            var request = request
            request.resize = resize
            let look = looks[photo]
            if look.intensity == 1 { request.filter = look.filter }
            return request
        }
    }

    /// What the pipeline has in memory of a photo: the picture as a row shows it in the end, and the published one.
    func imagesInMemory(of photo: Photo.ID) -> (image: ScaledImage, original: ScaledImage?)? {
        guard looks[photo].intensity == 1, case .success(var request) = listRequest(for: photo),
            let image = pipeline.cachedScaledImage(for: request)
        else { return nil }
        request.filter = .none
        return (image, pipeline.cachedScaledImage(for: request))
    }
}
