import Dispatch
package import PhotoPipeline

/// Pictures as they were published, beside those with a look.
extension PhotoList {
    /// The picture as it was published, with how large it is beside the published one; nil where the list does not have it.
    package func original(of photo: Photo.ID) -> ScaledImage? { state.records[photo]?.original }

    /// Fetches the published picture of a photo whose filtered one came from memory, where that one alone was. The row of the photo
    /// is said to change when it is there, and when it cannot be had; that is tried again after a retry or another look.
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
            let image = try? task?.takeScaledResult()?.get()
            // The main queue is the main actor's.
            DispatchQueue.main.async { MainActor.assumeIsolated { self?.takeOriginal(image, of: photo) } }
        }
        return true
    }

    private func takeOriginal(_ image: ScaledImage?, of photo: Photo.ID) {
        originals[photo] = nil
        if let image {
            tell(.originalArrived(photo, image))
        } else {
            lostOriginals.insert(photo)
            onChange?([photo])
        }
    }
}
