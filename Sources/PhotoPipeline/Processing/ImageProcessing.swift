public import Pixels

/// Something of your own that is done to pictures, beside the functions of CSS.
///
/// ```swift
/// import Foundation
/// import PhotoPipeline
///
/// /// Only every so many shades of each channel.
/// struct Posterize: ImageProcessing {
///     let step: UInt8
///     var cacheKey: String { "\(step)" }
///
///     func process(_ picture: consuming PixelBuffer, _ context: ProcessingContext) throws -> PixelBuffer {
///         var picture = picture
///         picture.withUnsafeMutableBytes(keepsOpacity: true) { bytes in
///             for index in bytes.indices where index % 4 != 3 { bytes[index] -= bytes[index] % step }
///         }
///         return picture
///     }
/// }
///
/// let pipeline = PhotoPipeline()
/// let address = URL(string: "https://example.org/dune.jpg")!
/// let request = ImageRequest(
///     address: address, longestSide: 256, processing: [.filter(.classic), .processor(Posterize(step: 64))])
/// print(try await pipeline.image(for: request).size)
/// ```
/// ```text
/// 256 x 171
/// ```
/// What processors make is shared and kept as what filters make is: two requests whose processing begins with the same steps
/// run those once, and the result of each processor stays in memory under its key.
public protocol ImageProcessing: Sendable {
    /// What tells this processor from others of its type: its amounts, its version.
    ///
    /// Two of one type with equal keys are taken for the same, and one gets what the other has made; so everything that the
    /// result depends on has to be in the key. It is read once, when the processor becomes a step. With an ``ImageDiskCache`` results
    /// outlast the program: then a new version of the code, too, needs another key where it makes other pixels.
    var cacheKey: String { get }

    /// Makes a picture of a picture.
    ///
    /// It is called on a thread of the filtration queue, never on the main thread, several at a time for several pictures. It may
    /// take long, and may block: filters go on in the places that are left of ``PhotoPipeline/Configuration/filtrationWidth``, and
    /// pictures to which nothing is done need none. Those that wait for a place are in work, so that no transfer begins once there
    /// are ``PhotoPipeline/Configuration/imagesInWork`` of them. It must not wait for another picture of the same pipeline, as that
    /// may be waiting for its place.
    ///
    /// - Parameters:
    ///   - image: The picture so far, upright and in sRGB. Changing it in place costs no copy if nobody else wants it as it is.
    ///   - context: How large the picture is beside the published one, and whether anybody still wants it.
    /// - Returns: A picture of any size from 1 pixel to ``/ImageCodecs/DecodeLimits/maxPixels`` of the pipeline. Its memory counts
    ///   for ``PhotoPipeline/Configuration/memoryLimit`` from its return on; what the processor takes besides does not.
    /// - Throws: Anything: the photo fails as ``PhotoError/Reason/processorFailed``, with the error as text, unless it was given up.
    func process(_ image: consuming PixelBuffer, _ context: ProcessingContext) throws -> PixelBuffer
}

/// What a processor is told besides the picture, see ``ImageProcessing/process(_:_:)``.
public struct ProcessingContext: Sendable {
    /// How large the decoded picture is beside the published one, above 0: lengths in pixels of the published picture times this
    /// are lengths here. What earlier processors did to the size is not in it.
    public let scale: Double

    private let isGivenUp: @Sendable () -> Bool

    /// A context, to call a processor without a pipeline.
    /// - Parameters:
    ///   - scale: How large the picture is beside the published one. Default: 1.
    ///   - isCancelled: Whether nobody wants the result any more. Default: never.
    public init(scale: Double = 1, isCancelled: @escaping @Sendable () -> Bool = { false }) {
        self.scale = scale
        isGivenUp = isCancelled
    }

    /// Whether nobody wants the result any more; then whatever comes of it is dropped. Cheap enough for each row.
    public var isCancelled: Bool { isGivenUp() }

    /// Ends a processor whose result nobody wants any more.
    /// - Throws: `CancellationError` where ``isCancelled``.
    public func checkCancellation() throws(CancellationError) {
        if isCancelled { throw CancellationError() }
    }
}
