import Operations
import PhotoPipeline

/// A row's photo on its way: as all the pictures that are made of it.
struct RowTask: Sendable {
    /// What has come of it.
    enum End {
        /// Its results wait for their batch; with what is wrong with its data, if it was kept all the same.
        case written(StagedResult, files: [String], damage: String?)
        case failed(PhotoError)
        /// A result could not be written, so that others could not be either.
        case outputFailed(PhotoError)
        case cancelled
    }

    /// One of the pictures on its way.
    struct Part: Sendable {
        let task: PhotoTask
        let write: WriteOperation
    }

    private let parts: [Part]
    private let failure: RowFailure
    private let claim: ContentClaim?
    private let earlier: EarlierAttempts

    /// - Parameters:
    ///   - parts: The pictures, at least one.
    ///   - failure: What tells of the failures of the parts, by their places.
    ///   - claim: What is told of the photo when it has arrived; nil where nobody asks.
    ///   - earlier: What was tried before.
    init(parts: [Part], failure: RowFailure, claim: ContentClaim?, earlier: EarlierAttempts) {
        (self.parts, self.failure, self.claim, self.earlier) = (parts, failure, claim, earlier)
    }

    /// Begins.
    ///
    /// - Parameter whenFinished: Called once, when all is over for all pictures.
    func start(whenFinished: @escaping @Sendable () -> Void) {
        failure.listen { [parts] failed in
            for (place, part) in parts.enumerated() where place != failed { part.task.cancel() }
        }
        claim?.listen(received: { attemptsSoFar }, end: cancel)
        PhotoTask.start(parts.map(\.task)) { [failure, claim] in
            failure.stopListening()
            claim?.stopListening()
            whenFinished()
        }
    }

    func cancel() {
        for part in parts { part.task.cancel() }
    }

    /// How the photo of another row arrived here, so that nothing comes of it here; nil where it is not another one's.
    var repeated: RepeatedArrival? { claim?.repeated }

    /// Takes what has come of it, when it has finished: all results or none. What was written of a row that has none is removed before this
    /// returns: the row may be the last one, and the program end with it.
    func takeEnd() -> End {
        let results = parts.map { $0.write.takeResult() }
        for case .outputFailed(let error) in results { return .outputFailed(error) }
        for case .failed(let error) in results { return .failed(error) }
        if let error = failure.error { return .failed(error) }
        var (pictures, files): ([StagedPicture], [String]) = ([], [])
        var kept: String?
        for case .written(let picture, let file, let damage) in results {
            pictures.append(picture)
            files.append(file)
            kept = kept ?? damage
        }
        return pictures.count == parts.count
            ? .written(.pictures(pictures), files: files, damage: kept) : .cancelled
    }

    /// What has been tried with this attempt, and how long to wait for the next one; nil where there is none.
    var nextAttempt: (EarlierAttempts, after: Duration)? {
        guard failure.error != nil, let due = parts.lazy.compactMap(\.task.nextAttempt).first else { return nil }
        var attempts = attemptsSoFar
        if due.isCounted { attempts.count += 1 }
        return (attempts, due.delay)
    }

    private var attemptsSoFar: EarlierAttempts {
        EarlierAttempts(count: earlier.count, bytes: receivedByteCount, began: earlier.began)
    }

    /// The bytes that were received in all attempts; the pictures share their transfer, and one of them has its bytes.
    var receivedByteCount: Int { parts.reduce(earlier.bytes) { $0 + $1.task.receivedByteCount } }

    /// How long the pictures waited and were worked on; a stage that they share is the own one of one of them.
    var timings: [PhotoTimings] {
        // Of one that turned out to be another row's photo, what came before that was found out.
        repeated == nil ? parts.compactMap(\.task.timings) : parts.compactMap(\.task.timingsSoFar)
    }

    /// How long it has taken so far.
    var milliseconds: Int64 { earlier.milliseconds }
}

/// Why a row fails: what went wrong first with one of its pictures. The others are given up then, as the row has all or none.
final class RowFailure: Sendable {
    private struct State {
        var error: PhotoError?
        var giveUp: (@Sendable (_ failed: Int) -> Void)?
    }

    private let state = Lock(State())

    /// What went wrong on the way to a picture; nil where nothing did, and where only its writing failed.
    var error: PhotoError? { state.withLock { $0.error } }

    /// - Parameter giveUp: Called at most once, with the place of the picture that failed, to cancel all others. That one is not
    ///   cancelled, as the bytes that were received are told of it.
    func listen(_ giveUp: @escaping @Sendable (_ failed: Int) -> Void) {
        state.withLock { $0.giveUp = giveUp }
    }

    func stopListening() {
        state.withLock { $0.giveUp = nil }
    }

    /// There will be no picture at a place.
    func report(_ error: PhotoError, by place: Int) {
        state.withLock { $0.error = $0.error ?? error }
        giveUpOthers(than: place)
    }

    /// The pictures at other places are of no use any more.
    func giveUpOthers(than place: Int) {
        let giveUp = state.withLock { $0.giveUp.take() }
        giveUp?(place)
    }
}
