import CGtk
public import Pixels

extension ObjectReference {
    /// A `GdkTexture` with the pixels of a picture, copied; nil for a picture without pixels.
    ///
    /// Both are 8-bit red, green, blue and straight alpha, so that the bytes are taken as they are.
    public convenience init?(textureOf picture: PixelBuffer) {
        guard !picture.size.isEmpty else { return nil }
        let bytes = picture.withUnsafeBytes { g_bytes_new($0.baseAddress, gsize($0.count)) }
        defer { g_bytes_unref(bytes) }
        let texture = gdk_memory_texture_new(
            Int32(picture.size.width), Int32(picture.size.height), GDK_MEMORY_R8G8B8A8, bytes,
            gsize(picture.bytesPerRow))
        guard let texture else { return nil }
        self.init(owning: texture)
    }
}
