/// What a stage tells the photos that want what comes of it.
struct StageEvent: Sendable {
    let event: Photo.Event
    /// The picture that has come of it, or is at hand.
    let picture: @Sendable () -> LeasedPicture?

    init(_ event: Photo.Event, _ picture: @escaping @Sendable () -> LeasedPicture? = { nil }) {
        self.event = event
        self.picture = picture
    }
}
