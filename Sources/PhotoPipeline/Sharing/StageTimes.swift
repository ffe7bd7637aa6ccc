import Synchronization

/// When a stage that photos share was asked for, began and ended.
///
/// A photo keeps those of its stages to the end, which is all that it costs where nobody asks for timings.
final class StageTimes: Sendable {
    let work: PhotoTimings.Stage.Work
    /// When somebody wanted it first.
    let asked = ContinuousClock.now
    /// Whether what comes of the stage was at hand, so that there is none.
    let isFromMemory: Bool
    /// In nanoseconds after that, at least 1; 0 where it has not happened. Atomic, as who asks does so at any time.
    private let beganAfter = Atomic<Int64>(0)
    private let endedAfter = Atomic<Int64>(0)

    init(_ work: PhotoTimings.Stage.Work, isFromMemory: Bool = false) {
        self.work = work
        self.isFromMemory = isFromMemory
    }

    var began: ContinuousClock.Instant? { instant(beganAfter) }
    var ended: ContinuousClock.Instant? { instant(endedAfter) }

    /// Notes when something happens in the stage.
    /// - Parameters:
    ///   - event: What happens, now.
    ///   - image: The picture that has come of it. Default: none.
    /// - Returns: What those who want it are told.
    func noting(_ event: Photo.Event, _ image: ScaledImage? = nil) -> StageEvent {
        switch event {
        case .downloadStarted, .decodingStarted, .filteringStarted: note(beganAfter)
        case .transferFinished, .downloadFinished, .filteringFinished, .failed: note(endedAfter)
        case .requested, .cancelled, .filterChanged: break
        }
        return StageEvent(event, of: self, image)
    }

    private func note(_ place: borrowing Atomic<Int64>) {
        let (seconds, attoseconds) = (ContinuousClock.now - asked).components
        let nanoseconds = max(1, seconds * 1_000_000_000 + attoseconds / 1_000_000_000)
        // Of two events that end it the first one counts.
        _ = place.compareExchange(expected: 0, desired: nanoseconds, ordering: .relaxed)
    }

    private func instant(_ place: borrowing Atomic<Int64>) -> ContinuousClock.Instant? {
        let nanoseconds = place.load(ordering: .relaxed)
        return nanoseconds == 0 ? nil : asked + .nanoseconds(nanoseconds)
    }
}
