/// What a stage tells the photos that want what comes of it.
final class StageEvent: Sendable {
    let event: Photo.Event
    /// When things happen in the stage.
    let times: StageTimes
    /// The picture that has come of it.
    let image: ScaledImage?
    /// Whether nothing that is still to come of the way changes what was told, so that nobody need wait for it.
    let endsWay: Bool

    init(_ event: Photo.Event, of times: StageTimes, _ image: ScaledImage?, endsWay: Bool = false) {
        self.event = event
        self.times = times
        self.image = image
        self.endsWay = endsWay
    }

    /// What those are told who come when the picture has been taken.
    var withoutImage: StageEvent { StageEvent(event, of: times, nil) }
}
