import Dispatch
package import PhotoPipeline

/// Pictures as they were published, beside those with a look.
extension PhotoList {
    /// The picture as it was published, with how large it is beside the published one; nil where the list does not have it.
    package func original(of photo: Photo.ID) -> ScaledImage? { state.records[photo]?.original }

    /// Fetches the published picture of a photo whose filtered one came from memory, where that one alone was. The row of the photo
    /// is said to change when it is there, and when it cannot be had; that is tried again after a retry or another look. It is
    /// said to change, too, where the fetch was cancelled, which says nothing about the picture.
    /// - Returns: Whether it is on its way. It is not where the list has it, or does not show the photo.
    @discardableResult
    package func loadOriginal(of photo: Photo.ID) -> Bool {
        if originals[photo] != nil { return true }
        guard let record = state.records[photo], record.filtered != nil, record.original == nil, record.run == nil,
            !lostOriginals.contains(photo), case .success(var request) = listRequest(for: photo)
        else { return false }
        request.filter = .none
        let task = pipeline.task(for: request, of: photo, label: self[photo].name) { _ in }
        originals[photo] = task
        task.start { [weak self, weak task] in
            let result = task?.takeScaledResult()
            // The main queue is the main actor's.
            DispatchQueue.main.async { MainActor.assumeIsolated { self?.takeOriginal(result, of: photo) } }
        }
        return true
    }

    /// - Parameter result: What came of the fetch; nil where it was cancelled.
    private func takeOriginal(_ result: Result<ScaledImage, PhotoError>?, of photo: Photo.ID) {
        originals[photo] = nil
        guard !isClosed else { return }
        switch result {
        case .success(let image): return tell(.originalArrived(photo, image))
        case .failure: lostOriginals.insert(photo)
        case nil: break
        }
        onChange?([photo])
    }
}
