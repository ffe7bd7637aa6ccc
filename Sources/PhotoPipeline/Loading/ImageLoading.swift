public import FoundationEssentials

/// Brings the bytes of pictures from where HTTP does not reach, such as a database, see ``PhotoPipeline/Configuration/loaders``.
///
/// ```swift
/// import Foundation
/// import PhotoPipeline
///
/// struct Shelf: ImageLoading {
///     let files: [String: Data]
///
///     func load(_ address: URL, limit: Int) async throws -> Data {
///         guard let bytes = files[address.path] else { throw PhotoError(.notFound, "The shelf has no \(address.path).") }
///         return bytes
///     }
/// }
///
/// var configuration = PhotoPipeline.Configuration()
/// configuration.loaders["shelf"] = Shelf(files: ["/dune": try Data(contentsOf: URL(filePath: "dune.jpg"))])
/// let pipeline = PhotoPipeline(configuration: configuration)
/// let request = ImageRequest(address: URL(string: "shelf:/dune")!, longestSide: 256)
/// print(try await pipeline.image(for: request).size)
/// ```
/// ```text
/// 256 x 171
/// ```
/// What two requests with one address want is loaded once. Pictures stay in memory, and in an ``ImageDiskCache``, as
/// all others do; the disk cache for answers is for HTTP.
public protocol ImageLoading: Sendable {
    /// Brings the bytes of one file.
    ///
    /// It is called as a task of its own on a thread of the engine, not on the main actor, and may block that thread; as many run at once as
    /// ``PhotoPipeline/Configuration/downloadWidthPerHost`` says, and none begins while
    /// ``PhotoPipeline/Configuration/imagesInWork`` pictures are in work. The task is cancelled when nobody wants the
    /// picture any more, or when ``/Transfers/TransferLimits/totalTimeout`` is over, which is ``PhotoError/Reason/timeout``. What it
    /// returns after that is dropped, and the pipeline does not wait for it: one that goes on all the same runs beside that number, so end it
    /// when its task is cancelled. Nothing is tried again.
    ///
    /// - Parameters:
    ///   - address: The address of the request.
    ///   - limit: How many bytes there may be, ``/Transfers/TransferLimits/maxBytes``. Of more the photo fails as
    ///     ``PhotoError/Reason/tooLarge``; a loader that can tell before should not take the memory.
    /// - Returns: The bytes. They count for ``PhotoPipeline/Configuration/memoryLimit`` from here on.
    /// - Throws: A ``PhotoError``, which the photo fails with; anything else is ``PhotoError/Reason/loaderFailed``, with the error as
    ///   text.
    func load(_ address: URL, limit: Int) async throws -> Data
}
