import CGtk
public import Pixels

extension ObjectReference {
    /// A `GdkTexture` with the pixels of a picture, whose memory it shares; nil for a picture without pixels.
    ///
    /// Both are 8-bit red, green, blue and straight alpha, so that the bytes are taken as they are.
    public convenience init?(textureOf image: PixelBuffer) {
        guard !image.size.isEmpty else { return nil }
        let kept = Unmanaged.passRetained(KeptImage(image)).toOpaque()
        let bytes = image.withUnsafeBytes { bytes in
            g_bytes_new_with_free_func(
                bytes.baseAddress, gsize(bytes.count),
                { if let kept = $0 { Unmanaged<KeptImage>.fromOpaque(kept).release() } }, kept)
        }
        defer { g_bytes_unref(bytes) }
        let texture = gdk_memory_texture_new(
            Int32(image.size.width), Int32(image.size.height), GDK_MEMORY_R8G8B8A8, bytes,
            gsize(image.bytesPerRow))
        guard let texture else { return nil }
        self.init(owning: texture)
    }
}

/// Keeps a picture for as long as a texture shows it; whoever writes to the picture meanwhile writes to a copy.
private final class KeptImage: Sendable {
    private let image: PixelBuffer

    init(_ image: PixelBuffer) { self.image = image }
}
