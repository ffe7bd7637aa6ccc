extension Photo {
    /// How far a photo has come.
    public enum State: Hashable, Sendable {
        /// Nothing has been fetched, or what was begun has been cancelled.
        case new
        /// Being fetched and decoded.
        case downloading
        /// The picture as it was published is there.
        case downloaded
        /// The filter is at work on the picture.
        case filtering
        /// The filtered picture is there.
        case filtered
        /// It did not work; a retry may.
        case failed(PhotoError)
    }

    /// What happens to a photo.
    public enum Event: Hashable, Sendable {
        /// The download was started.
        case downloadStarted
        /// The picture is fetched and decoded.
        case downloadFinished
        /// The filter was started.
        case filteringStarted
        /// The filter is done.
        case filteringFinished
        /// The stage at work failed.
        case failed(PhotoError)
        /// The stage at work was cancelled.
        case cancelled
        /// Another look was chosen, so that only the filter runs again.
        case filterChanged
    }
}

extension Photo.State {
    /// The state after an event, or nil where the event does not belong to this state.
    ///
    /// A cancelled stage falls back to the last state that lasts: a photo that is downloaded and not yet filtered
    /// is only filtered the next time. An event that comes too late, as those of a stage that was cancelled a moment
    /// ago do, changes nothing.
    public func after(_ event: Photo.Event) -> Photo.State? {
        switch (self, event) {
        case (.new, .downloadStarted), (.failed, .downloadStarted): .downloading
        case (.downloading, .downloadFinished): .downloaded
        case (.downloaded, .filteringStarted): .filtering
        case (.filtering, .filteringFinished): .filtered
        case (.filtered, .filterChanged), (.filtering, .filterChanged): .downloaded
        case (.new, .failed(let error)), (.downloading, .failed(let error)), (.downloaded, .failed(let error)),
            (.filtering, .failed(let error)):
            .failed(error)
        case (.downloading, .cancelled): .new
        case (.filtering, .cancelled): .downloaded
        default: nil
        }
    }

    /// Whether no stage is at work.
    public var isStable: Bool {
        switch self {
        case .downloading, .filtering: false
        case .new, .downloaded, .filtered, .failed: true
        }
    }
}
