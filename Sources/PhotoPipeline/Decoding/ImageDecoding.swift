public import FoundationEssentials
public import ImageCodecs
public import Pixels

/// Reads a kind of file of your own, see ``PhotoPipeline/Configuration/decoders``.
///
/// ```swift
/// import Foundation
/// import PhotoPipeline
///
/// /// Plain grey: `grey`, a byte each for width and height, and a byte for each pixel.
/// struct GreyDecoder: ImageDecoding {
///     func size(of bytes: Data) -> PixelSize? {
///         guard bytes.starts(with: Data("grey".utf8)), bytes.count >= 6 else { return nil }
///         return PixelSize(width: Int(bytes[4]), height: Int(bytes[5]))
///     }
///
///     func decode(
///         _ bytes: Data, _ options: DecodeOptions, isCancelled: @escaping @Sendable () -> Bool
///     ) throws(ImageCodecError) -> PixelBuffer {
///         guard let size = size(of: bytes), bytes.count == 6 + size.width * size.height else {
///             throw .damaged("it is cut off")
///         }
///         return PixelBuffer(uninitialized: size, isOpaque: true) { pixels in
///             for index in pixels.indices { pixels[index] = index % 4 == 3 ? 255 : bytes[6 + index / 4] }
///         }
///     }
/// }
///
/// var configuration = PhotoPipeline.Configuration()
/// configuration.decoders = [GreyDecoder()]
/// ```
/// Its pictures are cut and scaled to the size that is wanted as all others are. They have no previews and no metadata.
///
/// It runs in this process, unlike decoders of the kinds that are known: who reads files of strangers with it has to
/// check every length in them.
public protocol ImageDecoding: Sendable {
    /// The size of the picture in a file, told by its first bytes.
    ///
    /// Limits are applied to it, and memory is waited for, before anything is decoded. It must be quick, and may be called more
    /// than once for a file, on threads of the engine, several at a time.
    ///
    /// - Parameter bytes: The whole file, with indices from 0.
    /// - Returns: Width and height as a person sees the picture; nil for another kind of file, which the next decoder is asked about.
    /// - Throws: Why the header of a file of this kind cannot be read.
    func size(of bytes: Data) throws(ImageCodecError) -> PixelSize?

    /// Decodes a file whose size was told.
    ///
    /// It is called on a thread of the decode queue, never on the main thread, several at a time for several files.
    ///
    /// - Parameters:
    ///   - bytes: The whole file, with indices from 0.
    ///   - options: What is wanted. A decoder that can do so cheaply gives the picture at the size that ``/Pixels/Resize/size(of:)``
    ///     of the options' `resize` says; otherwise it ignores them.
    ///   - isCancelled: Says when to stop: nobody wants the picture any more, or
    ///     ``/ImageCodecs/DecodeLimits/timeLimit`` is over. Cheap enough for each row.
    /// - Returns: The picture, upright and in sRGB, as large as was told before, or as the options say.
    /// - Throws: Why there is none. Whatever it throws after it was told to stop does not count.
    func decode(
        _ bytes: Data, _ options: DecodeOptions, isCancelled: @escaping @Sendable () -> Bool
    ) throws(ImageCodecError) -> PixelBuffer
}
