import Dispatch
package import PhotoPipeline

/// Pictures as they were published, beside those with a look.
extension PhotoList {
    /// The picture as it was published, with how large it is beside the published one; nil where the list does not have it.
    package func original(of photo: Photo.ID) -> ScaledImage? { state.records[photo]?.original }

    /// Fetches the published picture of a photo whose filtered one came from memory, where that one alone was. The row of the photo
    /// changes when it is there. Nothing happens where the list has it, or does not show the photo.
    package func loadOriginal(of photo: Photo.ID) {
        guard let record = state.records[photo], record.filtered != nil, record.original == nil, record.run == nil,
            originals[photo] == nil, case .success(var request) = listRequest(for: photo)
        else { return }
        request.filter = .none
        let task = pipeline.task(for: request, of: photo, label: self[photo].name) { _ in }
        originals[photo] = task
        task.start { [weak self, weak task] in
            let image = try? task?.takeScaledResult()?.get()
            // The main queue is the main actor's.
            DispatchQueue.main.async {
                MainActor.assumeIsolated {
                    self?.originals[photo] = nil
                    if let image { self?.tell(.originalArrived(photo, image)) }
                }
            }
        }
    }
}
