import Operations
import Pixels

/// Keeps one photo's state while its stages report to it, and passes on what really changed.
final class PhotoReporter: Sendable {
    private let state: Lock<Photo.State>
    private let onUpdate: @Sendable (Photo.Update) -> Void

    init(state: Photo.State, onUpdate: @escaping @Sendable (Photo.Update) -> Void) {
        self.state = Lock(state)
        self.onUpdate = onUpdate
    }

    /// Takes an event in; one that does not belong to the present state changes nothing and is not passed on.
    func report(_ event: Photo.Event, picture: PixelBuffer? = nil) {
        let changed = state.withLock { state -> Photo.State? in
            guard let next = state.after(event) else { return nil }
            state = next
            return next
        }
        if let changed { onUpdate(Photo.Update(state: changed, picture: picture)) }
    }
}

extension Photo {
    /// A change of a photo's state, with the picture that came of it.
    public struct Update: Sendable {
        /// The new state.
        public let state: State
        /// The picture, where the new state is `downloaded` or `filtered`.
        public let picture: PixelBuffer?
    }
}
