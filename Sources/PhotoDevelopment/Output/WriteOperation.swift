import FoundationEssentials
import ImageCodecs
import Operations
import PhotoPipeline

/// Encodes a filtered picture and writes its file, which has no name yet; depends on the filtering.
final class WriteOperation: Operation, @unchecked Sendable {
    // Safe to share: the mutable state is behind `outcome`'s lock, the rest never changes after init.
    private let takeImage: @Sendable () -> Result<(pixels: PixelBuffer, metadata: ImageMetadata?), PhotoError>?
    private let encoder: ImageEncoder
    private let folder: OutputFolder
    private let file: String
    private let outcome = Lock<Outcome?>(nil)

    enum Outcome {
        /// The file is whole, and waits for its name.
        case written(TemporaryFile)
        /// There is no picture, or it cannot be written in this format; others may be.
        case failed(PhotoError)
        /// The file could not be written, so that others could not be either.
        case outputFailed(PhotoError)
    }

    /// - Parameter takeImage: The filtered picture, and what is written with it, or why there is none; nil if it was cancelled.
    init(
        encoder: ImageEncoder, folder: OutputFolder, file: String,
        takeImage: @escaping @Sendable () -> Result<(pixels: PixelBuffer, metadata: ImageMetadata?), PhotoError>?
    ) {
        self.takeImage = takeImage
        self.encoder = encoder
        self.folder = folder
        self.file = file
        super.init()
        name = "Write"
    }

    /// Whether the file was written or why not; nil when the operation was cancelled before that was known.
    var result: Outcome? { outcome.withLock { $0 } }

    override func main() {
        guard let filtered = takeImage() else { return }
        let bytes: Data
        do throws(PhotoError) {
            bytes = try encode(filtered.get())
        } catch {
            return outcome.withLock { $0 = .failed(error) }
        }
        if isCancelled { return }
        do {
            let unnamed = try folder.unnamed(bytes)
            outcome.withLock { $0 = .written(unnamed) }
        } catch {
            let error = PhotoError(.writeFailed, "Cannot write \(folder.path)/\(file): \(error.reason).")
            outcome.withLock { $0 = .outputFailed(error) }
        }
    }

    private func encode(_ image: (pixels: PixelBuffer, metadata: ImageMetadata?)) throws(PhotoError) -> Data {
        do {
            return try encoder.encode(image.pixels, metadata: image.metadata)
        } catch {
            throw PhotoError(error)
        }
    }
}
