import Foundation
import ImageCodecs
import Operations
import PhotoPipeline

/// Gives a picture its look, encodes it and writes it to a file.
final class SaveOperation: Operation, @unchecked Sendable {
    // Safe to share: the mutable state is behind `outcome`'s lock, the rest never changes after init.
    private let image: @Sendable () -> Result<PixelBuffer, PhotoError>?
    private let look: PhotoLook
    private let path: String
    private let encoder: ImageEncoder
    private let outcome = Lock<PhotoError?>(PhotoError(.cancelled, "The photo was not saved: it was cancelled."))

    init(
        of image: @escaping @Sendable () -> Result<PixelBuffer, PhotoError>?, look: PhotoLook, path: String,
        encoder: ImageEncoder
    ) {
        self.image = image
        self.look = look
        self.path = path
        self.encoder = encoder
        super.init()
        name = "Save"
    }

    /// Why it was not written; nil after it was.
    var failure: PhotoError? { outcome.withLock { $0 } }

    override func main() {
        guard let result = image() else { return }
        do {
            guard let filtered = look.applied(to: try result.get(), isCancelled: { isCancelled }) else { return }
            let data = try encoder.encode(filtered)
            guard !isCancelled else { return }
            try data.write(to: URL(filePath: path), options: .atomic)
            outcome.withLock { $0 = nil }
        } catch let error as PhotoError {
            outcome.withLock { $0 = error }
        } catch {
            outcome.withLock { $0 = PhotoError(.writeFailed, Self.reason(of: error)) }
        }
    }

    /// What the codec or the system says.
    private static func reason(of error: any Error) -> String {
        if case .encodingFailed(let reason) = error as? ImageCodecError { return reason }
        guard let cause = (error as? CocoaError)?.underlying as? POSIXError else { return error.localizedDescription }
        return String(cString: strerror(cause.code.rawValue))
    }
}
