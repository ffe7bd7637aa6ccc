import Dispatch
public import ImageCodecs
import Operations
public import PhotoPipeline

extension PhotoList {
    /// Writes a photo with its look to a file, in the size that it was published in.
    ///
    /// It is independent of what is on screen, and not held up by scrolling. The file appears when it is whole; one
    /// that was there is replaced.
    ///
    /// - Parameters:
    ///   - photo: A photo of the catalog.
    ///   - path: The file's path.
    ///   - encoder: The format and its quality.
    ///   - whenDone: Called once on the main actor: nil if it was written, otherwise why not; `cancelled` if it was given up.
    /// - Returns: What gives it up, and knows how far its transfer is; nil where the entry names no photo.
    @discardableResult
    public func save(
        _ photo: Photo.ID, to path: String, as encoder: ImageEncoder,
        whenDone: @escaping @MainActor @Sendable (PhotoError?) -> Void
    ) -> PhotoTask? {
        write(photo, to: path, whereTaken: .replace, as: encoder) { outcome in
            switch outcome {
            case .success: whenDone(nil)
            case .failure(let fault): whenDone(fault.error)
            }
        }
    }

    /// Writes a photo as ``save(_:to:as:whenDone:)`` does, and says which file it is, or what a fault means for other files.
    ///
    /// - Parameter whereTaken: What becomes of it where another file has the path.
    func write(
        _ photo: Photo.ID, to path: String, whereTaken: TakenName, as encoder: ImageEncoder,
        whenDone: @escaping @MainActor @Sendable (Result<String, SaveFault>) -> Void
    ) -> PhotoTask? {
        switch request(for: photo, longestSide: nil) {
        case .failure(let error):
            whenDone(.failure(SaveFault(error)))
            return nil
        case .success(let request):
            let task = pipeline.task(for: request, of: photo) { _ in }
            let saving = SaveOperation(
                of: { [weak task] in task?.takeResult() }, filter: looks[photo].picture, path: path,
                whereTaken: whereTaken, encoder: encoder)
            task.append(saving, to: pipeline.pending.filtrationQueue)
            task.start {
                let outcome = saving.outcome
                // The main queue is the main actor's.
                DispatchQueue.main.async { MainActor.assumeIsolated { whenDone(outcome) } }
            }
            return task
        }
    }
}
