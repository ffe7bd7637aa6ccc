/// What a stage tells the photos that want what comes of it.
struct StageEvent: Sendable {
    let event: Photo.Event
    /// When things happen in the stage.
    let times: StageTimes
    /// The picture that has come of it, or is at hand.
    let image: @Sendable () -> LeasedImage?

    init(_ event: Photo.Event, of times: StageTimes, _ image: @escaping @Sendable () -> LeasedImage?) {
        self.event = event
        self.times = times
        self.image = image
    }
}
