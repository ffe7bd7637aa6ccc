import FoundationEssentials
import ImageCodecs
import Operations
import PhotoPipeline

/// Encodes a filtered picture and writes its file; depends on the filtering.
final class WriteOperation: Operation, @unchecked Sendable {
    // Safe to share: the mutable state is behind `outcome`'s lock, the rest never changes after init.
    private let filtration: FiltrationOperation
    private let encoder: ImageEncoder
    private let folder: OutputFolder
    private let file: String
    private let outcome = Lock<Result<Void, PhotoError>?>(nil)

    init(filtration: FiltrationOperation, encoder: ImageEncoder, folder: OutputFolder, file: String) {
        self.filtration = filtration
        self.encoder = encoder
        self.folder = folder
        self.file = file
        super.init()
        name = "Write"
    }

    /// Whether the file was written or why not; nil when the operation was cancelled before that was known.
    var result: Result<Void, PhotoError>? { outcome.withLock { $0 } }

    override func main() {
        guard let filtered = filtration.takeResult() else { return }
        do throws(PhotoError) {
            let bytes = try encode(filtered.get())
            if isCancelled { return }
            try write(bytes)
            outcome.withLock { $0 = .success(()) }
        } catch {
            outcome.withLock { $0 = .failure(error) }
        }
    }

    private func encode(_ picture: PixelBuffer) throws(PhotoError) -> Data {
        do {
            return try encoder.encode(picture)
        } catch {
            throw PhotoError(.writeFailed, "\(error)")
        }
    }

    private func write(_ bytes: Data) throws(PhotoError) {
        do {
            try folder.write(bytes, as: file)
        } catch {
            throw PhotoError(.writeFailed, "cannot write \(file): \(error.reason)")
        }
    }
}
