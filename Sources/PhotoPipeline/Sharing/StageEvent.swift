/// What a stage tells the photos that want what comes of it.
final class StageEvent: Sendable {
    let event: Photo.Event
    /// When things happen in the stage.
    let times: StageTimes
    /// The picture that has come of it.
    let image: ScaledImage?

    init(_ event: Photo.Event, of times: StageTimes, _ image: ScaledImage?) {
        self.event = event
        self.times = times
        self.image = image
    }

    /// What those are told who come when the picture has been taken.
    var withoutImage: StageEvent { StageEvent(event, of: times, nil) }
}
