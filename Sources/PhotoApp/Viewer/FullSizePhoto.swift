import PhotoBrowser
import PhotoPipeline
import Pixels

/// One photo with all of its pixels, for somebody who looks closer than the large view's picture allows, or takes it elsewhere.
///
/// It is fetched when it is needed first, and kept until another one is needed or nobody wants one any more.
@MainActor final class FullSizePhoto {
    /// A picture of more pixels is made that large: 64 million of them take 256 MB.
    nonisolated static let mostPixels = 64_000_000

    /// Called when the picture is there, and when it cannot be had.
    var onEnd: () -> Void = {}
    private var subject: Subject?
    private var picture: PixelBuffer?
    private var task: Task<Void, Never>?

    private struct Subject: Equatable {
        let photo: Photo.ID
        let look: PhotoLook
    }

    // The class names its actor for this: Swift 6.3 does not find the default in an optimised module with `-enable-testing`.
    isolated deinit { task?.cancel() }

    /// The picture of a photo with a look; nil where it is not there, or was not asked for.
    func picture(of photo: Photo.ID, with look: PhotoLook) -> PixelBuffer? {
        subject == Subject(photo: photo, look: look) ? picture : nil
    }

    /// Whether the picture of a photo with a look is on its way.
    func isLoading(_ photo: Photo.ID, with look: PhotoLook) -> Bool {
        task != nil && subject == Subject(photo: photo, look: look)
    }

    /// Fetches the picture of a photo, unless that was done; another one is given up.
    func need(_ photo: Photo.ID, with look: PhotoLook, of list: PhotoList, publishedSize size: PixelSize) {
        let wanted = Subject(photo: photo, look: look)
        guard wanted != subject else { return }
        forget()
        subject = wanted
        task = Task { [weak self, weak list] in
            let picture = try? await list?.image(of: photo, with: look, longestSide: Self.longestSide(of: size))
            // Who has given it up does not want to hear of it.
            guard !Task.isCancelled, let self else { return }
            self.picture = picture
            task = nil
            onEnd()
        }
    }

    /// Gives up what is on its way, and lets the picture go.
    func forget() {
        task?.cancel()
        (subject, picture, task) = (nil, nil, nil)
    }

    /// How large to ask for a photo; nil for all of it.
    nonisolated static func longestSide(of size: PixelSize) -> Int? {
        let pixels = Double(size.width) * Double(size.height)
        guard pixels > Double(mostPixels) else { return nil }
        return max(1, Int(Double(max(size.width, size.height)) * (Double(mostPixels) / pixels).squareRoot()))
    }
}
