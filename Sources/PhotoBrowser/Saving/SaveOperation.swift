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
    private let outcome = Lock<SaveFault?>(
        SaveFault(PhotoError(.cancelled, "The photo was not saved: it was cancelled.")))

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
    var fault: SaveFault? { outcome.withLock { $0 } }

    override func main() {
        guard let result = image() else { return }
        do {
            guard let filtered = look.applied(to: try result.get(), isCancelled: { isCancelled }) else { return }
            let data = try encoder.encode(filtered)
            guard !isCancelled else { return }
            try data.write(to: URL(localPath: path), options: .atomic)
            outcome.withLock { $0 = nil }
        } catch let error as PhotoError {
            outcome.withLock { $0 = SaveFault(error) }
        } catch {
            outcome.withLock { $0 = SaveFault(writing: error) }
        }
    }
}

/// Why a photo was not written, and what that means for others.
struct SaveFault: Sendable {
    let error: PhotoError
    /// Whether no other file can be written into the same folder, either: the disk is full, or nobody lets this program write there.
    let isOfFolder: Bool

    init(_ error: PhotoError) { (self.error, isOfFolder) = (error, false) }

    /// What the codec or the system says.
    init(writing error: any Error) {
        let code = ((error as? CocoaError)?.underlying as? POSIXError)?.code
        let reason: String
        if case .encodingFailed(let words) = error as? ImageCodecError {
            reason = words
        } else {
            reason = code.map { String(cString: strerror($0.rawValue)) } ?? error.localizedDescription
        }
        self.error = PhotoError(.writeFailed, reason)
        isOfFolder = code.map { Self.codesOfFolders.contains($0) } ?? false
    }

    /// A folder that is not there belongs to a disk that was pulled out, or somebody has removed it.
    private static let codesOfFolders: Set<POSIXErrorCode> = [
        .ENOSPC, .EDQUOT, .EROFS, .EACCES, .EPERM, .ENOENT, .ENOTDIR, .ESTALE, .ENOTCONN, .ENODEV,
    ]
}
