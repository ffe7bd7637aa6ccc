public import PhotoPipeline

/// The looks of the photos of a list: one for all, and others for photos that have a look of their own.
public struct PhotoLooks: Sendable {
    /// The look of all that have none of their own.
    public var usual: PhotoLook
    /// Looks that single photos have instead. Default: none.
    public var own: PhotoValues<PhotoLook>

    /// One look for all, and others for some.
    public init(_ usual: PhotoLook, own: PhotoValues<PhotoLook> = PhotoValues()) {
        (self.usual, self.own) = (usual, own)
    }

    /// What is done to the picture of a photo.
    public subscript(photo: Photo.ID) -> PhotoLook { own[photo] ?? usual }
}
