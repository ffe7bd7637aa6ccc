/// Which pictures are decoded in helper processes, and which in the program itself.
///
/// A helper may do nothing but decode; see ``ImageDecoder``. What is read in the program of every file, whatever is chosen,
/// is its kind, the headers of PNG, WebP, GIF, TIFF, HEIF, AVIF and JPEG XL, and ``ImageMetadata`` where it is kept, by code in Swift that cannot leave the
/// file's bounds.
public enum DecodeIsolation: String, CaseIterable, Hashable, Sendable {
    /// Everything is decoded by the calling thread: for debuggers, sanitizers and fuzzing. Then `DecodeLimits.timeLimit` and
    /// `DecodeLimits.maxMemory` hold only as far as decoders obey, and a crash of a decoder ends the program.
    case nothing
    /// Everything but plain JPEG, which libjpeg-turbo decodes in the program. A JPEG in inks (CMYK), or with a colour
    /// profile whose colours are not known here, goes to a helper like all other kinds.
    case standard
    /// Every file; not even the header of a JPEG is read by libjpeg-turbo in the program. A progressive JPEG has no passes while it arrives.
    case everything
}
