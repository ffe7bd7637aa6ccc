extension Photo {
    /// How far a photo has come.
    public enum State: Hashable, Sendable {
        /// Nothing has been fetched, or what was begun has been cancelled.
        case new
        /// It was asked for, and no stage is at work on it: none has begun, or what was fetched is yet to be decoded.
        case waiting
        /// Being fetched.
        case downloading
        /// The picture is being made of what was fetched.
        case decoding
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
        /// It was asked for.
        case requested
        /// The download was started.
        case downloadStarted
        /// All bytes are there, or will not be.
        case transferFinished
        /// The decoding was started.
        case decodingStarted
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
        case (.new, .requested), (.failed, .requested), (.downloading, .transferFinished): .waiting
        case (.waiting, .downloadStarted): .downloading
        case (.waiting, .decodingStarted), (.downloading, .decodingStarted): .decoding
        case (.waiting, .downloadFinished), (.downloading, .downloadFinished), (.decoding, .downloadFinished):
            .downloaded
        case (.downloaded, .filteringStarted): .filtering
        case (.filtering, .filteringFinished): .filtered
        case (.filtered, .filterChanged), (.filtering, .filterChanged): .downloaded
        case (.new, .failed(let error)), (.waiting, .failed(let error)), (.downloading, .failed(let error)),
            (.decoding, .failed(let error)), (.downloaded, .failed(let error)), (.filtering, .failed(let error)):
            .failed(error)
        case (.waiting, .cancelled), (.downloading, .cancelled), (.decoding, .cancelled): .new
        case (.filtering, .cancelled): .downloaded
        default: nil
        }
    }

    /// Whether it lasts: nothing is asked for that is yet to be done.
    public var isStable: Bool {
        switch self {
        case .waiting, .downloading, .decoding, .filtering: false
        case .new, .downloaded, .filtered, .failed: true
        }
    }

    /// Whether a stage is at work.
    public var isWorking: Bool { !isStable && self != .waiting }
}
