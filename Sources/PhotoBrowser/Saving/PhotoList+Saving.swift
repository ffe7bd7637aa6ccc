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
        write(photo, to: path, as: encoder) { whenDone($0?.error) }
    }

    /// Writes a photo as ``save(_:to:as:whenDone:)`` does, and says what a fault means for other files.
    func write(
        _ photo: Photo.ID, to path: String, as encoder: ImageEncoder,
        whenDone: @escaping @MainActor @Sendable (SaveFault?) -> Void
    ) -> PhotoTask? {
        switch request(for: photo, longestSide: nil) {
        case .failure(let error):
            whenDone(SaveFault(error))
            return nil
        case .success(let request):
            let task = pipeline.task(for: request, of: photo) { _ in }
            let saving = SaveOperation(
                of: { [weak task] in task?.takeResult() }, look: looks[photo], path: path, encoder: encoder)
            task.append(saving, to: pipeline.pending.filtrationQueue)
            task.start {
                let fault = saving.fault
                // The main queue is the main actor's.
                DispatchQueue.main.async { MainActor.assumeIsolated { whenDone(fault) } }
            }
            return task
        }
    }
}
