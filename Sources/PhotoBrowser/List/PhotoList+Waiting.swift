import Operations
public import PhotoPipeline

extension PhotoList {
    /// A stage on the way of a photo, which has a queue of its own.
    public enum Stage: Hashable, Sendable, CaseIterable {
        /// Its file is fetched.
        case download
        /// The picture is made of the file.
        case decoding
        /// The picture gets its look.
        case filtration
    }

    /// The stage that a photo has to go through next and that has not begun; nil where one is at work on it, and where nothing is
    /// asked for.
    public func awaitedStage(of photo: Photo.ID) -> Stage? {
        guard let record = state.records[photo], record.run != nil else { return nil }
        switch record.state {
        case .waiting: return record.isFetched ? .decoding : .download
        case .downloaded: return .filtration
        case .new, .downloading, .decoding, .filtering, .filtered, .failed: return nil
        }
    }

    /// The stage that a photo waits for, where that stage's queue is suspended: nothing happens before it goes on.
    func suspendedStage(of photo: Photo.ID) -> Stage? {
        awaitedStage(of: photo).flatMap { queue(of: $0).isSuspended ? $0 : nil }
    }

    private func queue(of stage: Stage) -> OperationQueue {
        switch stage {
        case .download: pipeline.pending.downloadQueue
        case .decoding: pipeline.pending.decodeQueue
        case .filtration: pipeline.pending.filtrationQueue
        }
    }
}
