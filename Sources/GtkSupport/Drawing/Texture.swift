import CGtk
public import Pixels

extension ObjectReference {
    /// A `GdkTexture` with the pixels of a picture, whose memory it shares; nil for a picture without pixels.
    ///
    /// Both are 8-bit red, green, blue and straight alpha, so that the bytes are taken as they are.
    public convenience init?(textureOf picture: PixelBuffer) {
        guard !picture.size.isEmpty else { return nil }
        let kept = Unmanaged.passRetained(KeptPicture(picture)).toOpaque()
        let bytes = picture.withUnsafeBytes { bytes in
            g_bytes_new_with_free_func(
                bytes.baseAddress, gsize(bytes.count),
                { if let kept = $0 { Unmanaged<KeptPicture>.fromOpaque(kept).release() } }, kept)
        }
        defer { g_bytes_unref(bytes) }
        let texture = gdk_memory_texture_new(
            Int32(picture.size.width), Int32(picture.size.height), GDK_MEMORY_R8G8B8A8, bytes,
            gsize(picture.bytesPerRow))
        guard let texture else { return nil }
        self.init(owning: texture)
    }
}

/// Keeps a picture for as long as a texture shows it; whoever writes to the picture meanwhile writes to a copy.
private final class KeptPicture: Sendable {
    private let picture: PixelBuffer

    init(_ picture: PixelBuffer) { self.picture = picture }
}
