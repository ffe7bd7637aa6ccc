import FoundationEssentials
import Operations
import PhotoPipeline

/// What a row's photo turned out to be when it had arrived: the first one with its bytes, or one that another row has brought before,
/// whose own way ends there.
final class ContentClaim: Sendable {
    private enum State {
        case awaiting
        case leads
        case repeats(RepeatedArrival)
    }

    /// The row's own way.
    private struct Way {
        let received: @Sendable () -> EarlierAttempts
        let end: @Sendable () -> Void
    }

    private let state = Lock(State.awaiting)
    private let arrive: @Sendable (ContentDigest) -> Int?
    private let way = Lock<Way?>(nil)

    /// - Parameter arrive: Told of the photo; says which row has brought it before.
    init(arrive: @escaping @Sendable (ContentDigest) -> Int?) {
        self.arrive = arrive
    }

    /// Before the row's own way begins.
    ///
    /// - Parameters:
    ///   - received: What it has received.
    ///   - end: Ends it; may be called several times.
    func listen(received: @escaping @Sendable () -> EarlierAttempts, end: @escaping @Sendable () -> Void) {
        way.withLock { $0 = Way(received: received, end: end) }
    }

    func stopListening() {
        way.withLock { $0 = nil }
    }

    /// How the photo of another row arrived here; nil where it is not another one's, or has not arrived.
    var repeated: RepeatedArrival? { state.withLock { if case .repeats(let repeated) = $0 { repeated } else { nil } } }

    /// The photo is there; each decoding that its variants need says so.
    ///
    /// - Parameters:
    ///   - bytes: The photo.
    ///   - address: The address that answered, as it may be written down.
    func check(_ bytes: Data, from address: String?) {
        let way = way.withLock { $0 }
        // Another variant's decoding waits meanwhile, as it is not to begin before this is known.
        let isRepeated = state.withLock { state in
            if case .awaiting = state {
                let leader = way.flatMap { _ in arrive(ContentDigest(of: bytes)) }
                if let way, let leader {
                    state = .repeats(
                        RepeatedArrival(leader: leader, address: address, received: way.received()))
                } else {
                    state = .leads
                }
            }
            if case .repeats = state { return true }
            return false
        }
        if isRepeated { way?.end() }
    }
}
