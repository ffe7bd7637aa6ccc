import CGtk
import GtkSupport
import PhotoPipeline
import Pixels

/// Draws one photo, zoomed and moved, beside or in place of the one before its look.
final class PhotoCanvas {
    private(set) var canvas: Canvas?
    /// What part is seen.
    var zoom = Zoom() {
        didSet {
            guard zoom != oldValue else { return }
            canvas?.redraw()
            onZoom()
        }
    }
    /// Called when another part is seen, or the same larger or smaller.
    var onZoom: () -> Void = {}
    /// Whether the picture is shown as it was published.
    var showsOriginal = false { didSet { canvas?.redraw() } }
    /// Where the published picture ends and the other one begins, from 0 to 1; nil for no comparison.
    var split: Double? { didSet { canvas?.redraw() } }

    private var filtered: (image: PixelBuffer, texture: ObjectReference)?
    private var original: (image: PixelBuffer, texture: ObjectReference)?

    init() {
        canvas = Canvas(role: GTK_ACCESSIBLE_ROLE_IMG) { [weak self] in self?.draw($0, $1) }
    }

    /// Whether there is a picture.
    var isEmpty: Bool { filtered == nil && original == nil }

    /// Shows a picture and how it was before; the zoom stays for pictures of the same size.
    ///
    /// - Parameter size: How large the photo is, in its own pixels, which these pictures may have fewer of; nil for as large as they are.
    func show(_ image: PixelBuffer?, original before: PixelBuffer?, size: PixelSize? = nil) {
        filtered = Self.update(filtered, image)
        original = Self.update(original, before)
        if let size = size ?? (image ?? before)?.size {
            zoom.image = Zoom.Point(x: Double(size.width), y: Double(size.height))
        }
        canvas?.redraw()
    }

    private static func update(
        _ present: (image: PixelBuffer, texture: ObjectReference)?, _ image: PixelBuffer?
    ) -> (image: PixelBuffer, texture: ObjectReference)? {
        guard let image else { return nil }
        if let present, present.image == image { return present }
        return ObjectReference(textureOf: image).map { (image, $0) }
    }

    /// From where to where the picture is seen, in the view; nil where nothing is compared.
    var sides: ClosedRange<Double>? {
        guard split != nil, original != nil else { return nil }
        let left = max(0, zoom.origin.x)
        return left...max(left, min(zoom.view.x, zoom.origin.x + zoom.image.x * zoom.scale))
    }

    /// Where the divider is, if that is near a place in the view.
    func divider(near x: Double) -> Double? {
        guard let split, let sides else { return nil }
        let divider = sides.lowerBound + (sides.upperBound - sides.lowerBound) * split
        return abs(divider - x) <= 24 ? divider : nil
    }

    private func draw(_ snapshot: OpaquePointer, _ size: graphene_size_t) {
        let view = Zoom.Point(x: Double(size.width), y: Double(size.height))
        if zoom.view != view { zoom.view = view }
        // A window may leave it no room, into which nothing can be scaled.
        guard let shown = (showsOriginal ? original : nil) ?? filtered ?? original, view.x > 0, view.y > 0 else {
            return
        }
        let place = graphene_rect_t(
            x: zoom.origin.x, y: zoom.origin.y, width: zoom.image.x * zoom.scale,
            height: zoom.image.y * zoom.scale)
        let all = graphene_rect_t(x: 0, y: 0, width: view.x, height: view.y)
        clip(snapshot, to: all) {
            GtkSupport.draw(snapshot, shown.texture, in: place)
            guard let split, let original, let sides else { return }
            let border = sides.lowerBound + (sides.upperBound - sides.lowerBound) * split
            clip(snapshot, to: graphene_rect_t(x: 0, y: 0, width: border, height: view.y)) {
                GtkSupport.draw(snapshot, original.texture, in: place)
            }
            fill(snapshot, graphene_rect_t(x: border - 1, y: 0, width: 2, height: view.y), GdkRGBA(0xFFFFFF))
        }
    }
}
