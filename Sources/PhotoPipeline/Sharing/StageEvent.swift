/// What a stage tells the photos that want what comes of it.
struct StageEvent: Sendable {
    let event: Photo.Event
    /// When things happen in the stage.
    let times: StageTimes
    /// The picture that has come of it.
    let image: ScaledImage?

    /// What those are told who come when the picture has been taken.
    var withoutImage: StageEvent { StageEvent(event: event, times: times, image: nil) }
}
