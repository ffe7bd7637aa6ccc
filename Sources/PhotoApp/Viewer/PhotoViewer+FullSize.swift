import CGtk
import GtkSupport
import PhotoBrowser
import PhotoPipeline
import Pixels

/// The photo with all of its pixels, once the large view's picture has too few.
extension PhotoViewer {
    func prepareFullSize() {
        photoCanvas.onZoom = { [weak self] in self?.needFullSize() }
        fullSize.onEnd = { [weak self] in self?.fullSizeEnded() }
        fullSizeOriginal.onEnd = { [weak self] in self?.showPicture() }
    }

    /// Fetches all pixels of the photo, where the person looks so close that the present ones are enlarged.
    func needFullSize() {
        guard let list, let photo, photoCanvas.zoom.chosenScale != nil, !isMoving,
            let (pixels, size) = shortfall(of: list[photo]),
            pixelsOfScreen * photoCanvas.zoom.scale * Double(size.width) > Double(pixels.width)
        else { return }
        fullSize.need(photo, with: list.looks[photo], of: list, publishedSize: size)
        if isCompared || photoCanvas.showsOriginal {
            fullSizeOriginal.need(photo, with: .none, of: list, publishedSize: size)
        }
    }

    /// The picture of the photo with its look, with all of its pixels; nil where it is not there.
    var fullSizePicture: PixelBuffer? {
        guard let list, let photo else { return nil }
        return fullSize.picture(of: photo, with: list.looks[photo])
    }

    /// Gives the picture of the photo with its look to somebody who takes it elsewhere: what there is at once, and all of its
    /// pixels as soon as they are there.
    ///
    /// - Parameter body: Called once or twice; not a second time after the person has gone on to another photo or look.
    func takePicture(_ body: @escaping (PixelBuffer?) -> Void) {
        guard let list, let photo else { return body(nil) }
        let row = list[photo]
        body(fullSizePicture ?? row.image)
        guard fullSizePicture == nil, let (_, size) = shortfall(of: row) else { return }
        fullSize.need(photo, with: list.looks[photo], of: list, publishedSize: size)
        guard fullSize.isLoading(photo, with: list.looks[photo]) else { return }
        onFullSize = body
    }

    /// Tries the photo again, where that may help.
    func tryAgain() {
        guard let list, let photo, list[photo].canRetry else { return }
        forgetFullSize()
        list.retry(photo)
    }

    func forgetFullSize() {
        fullSize.forget()
        fullSizeOriginal.forget()
        onFullSize = nil
    }

    private func fullSizeEnded() {
        let taker = onFullSize
        onFullSize = nil
        if let picture = fullSizePicture { taker?(picture) }
        showPicture()
    }

    /// How large the large view's picture of a photo is, and how large it was published; nil where that is no larger, or it is not there.
    private func shortfall(of row: PhotoList.Row) -> (PixelSize, published: PixelSize)? {
        guard row.state == .filtered, let image = row.image, let size = row.publishedSize, size.width > image.size.width
        else { return nil }
        return (image.size, size)
    }

    /// The screen's pixels in one of the window's.
    private var pixelsOfScreen: Double { Double(max(1, gtk_widget_get_scale_factor(widget))) }
}
