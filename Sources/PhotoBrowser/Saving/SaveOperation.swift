import Foundation
import ImageCodecs
import Operations
import PhotoPipeline

/// Gives a picture its look, encodes it and writes it to a file.
final class SaveOperation: Operation, @unchecked Sendable {
    // Safe to share: what changes is behind `state`'s lock, the rest never changes after init.
    private let image: @Sendable () -> Result<PixelBuffer, PhotoError>?
    private let filter: LookOperation.Filter
    private let path: String
    private let whereTaken: TakenName
    private let encoder: ImageEncoder
    private let state = Lock<Result<String, SaveFault>>(
        .failure(SaveFault(PhotoError(.cancelled, "The photo was not saved: it was cancelled."))))

    init(
        of image: @escaping @Sendable () -> Result<PixelBuffer, PhotoError>?, filter: @escaping LookOperation.Filter,
        path: String, whereTaken: TakenName, encoder: ImageEncoder
    ) {
        self.image = image
        self.filter = filter
        self.path = path
        self.whereTaken = whereTaken
        self.encoder = encoder
        super.init()
        name = "Save"
    }

    /// The path of the file, or why it was not written.
    var outcome: Result<String, SaveFault> { state.withLock { $0 } }

    override func main() {
        guard let result = image() else { return }
        do {
            let published = ScaledImage(pixels: try result.get(), scale: 1)
            guard let filtered = try filter(published, { isCancelled }) else { return }
            let data = try encoder.encode(filtered)
            guard !isCancelled else { return }
            let written = try NewFile.write(data, to: path, whereTaken: whereTaken)
            state.withLock { $0 = .success(written) }
        } catch let error as PhotoError {
            state.withLock { $0 = .failure(SaveFault(error)) }
        } catch {
            state.withLock { $0 = .failure(SaveFault(writing: error)) }
        }
    }
}

/// Why a photo was not written, and what that means for others.
struct SaveFault: Error {
    let error: PhotoError
    /// Whether no other file can be written into the same folder, either: the disk is full, or nobody lets this program write there.
    let isOfFolder: Bool
    /// Whether another file has the name, and was to stay.
    let isNameTaken: Bool

    init(_ error: PhotoError) { (self.error, isOfFolder, isNameTaken) = (error, false, false) }

    /// What the codec or the system says.
    init(writing error: any Error) {
        let code = (error as? POSIXError)?.code
        let reason: String
        if case .encodingFailed(let words) = error as? ImageCodecError {
            reason = words
        } else {
            reason = code.map { String(cString: strerror($0.rawValue)) } ?? error.localizedDescription
        }
        self.error = PhotoError(.writeFailed, reason)
        isOfFolder = code.map { Self.codesOfFolders.contains($0) } ?? false
        isNameTaken = code == .EEXIST
    }

    /// A folder that is not there belongs to a disk that was pulled out, or somebody has removed it.
    private static let codesOfFolders: Set<POSIXErrorCode> = [
        .ENOSPC, .EDQUOT, .EROFS, .EACCES, .EPERM, .ENOENT, .ENOTDIR, .ESTALE, .ENOTCONN, .ENODEV,
    ]
}
