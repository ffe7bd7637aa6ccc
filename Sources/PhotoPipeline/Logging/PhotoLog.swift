import Dispatch
import Operations
import Transfers

/// Hands entries to the client's closure, one after the other, on a thread of its own queue.
///
/// Whoever has something to say only puts it in line, so that a closure may take its time.
final class PhotoLog: Sendable {
    typealias Handler = @Sendable (PhotoLogEntry) -> Void

    private struct State {
        var waiting: [PhotoLogEntry] = []
        var leftOut = 0
        var isDelivering = false
    }

    /// How many entries wait at most for a closure that is slow.
    static let capacity = 1_000

    private let level: PhotoLogEntry.Level
    private let handler: Handler
    private let queue = DispatchQueue(label: "PhotoPipeline log", qos: .utility)
    private let state = Lock(State())

    /// - Parameter level: What matters less is not handed over.
    init(_ level: PhotoLogEntry.Level, _ handler: @escaping Handler) {
        self.level = level
        self.handler = handler
    }

    /// Whether entries of a level are handed over.
    func hears(_ level: PhotoLogEntry.Level) -> Bool { level >= self.level }

    func add(_ entry: PhotoLogEntry) {
        guard hears(entry.level) else { return }
        let isFirst = state.withLock { state in
            guard state.waiting.count < Self.capacity else {
                state.leftOut += 1
                return false
            }
            state.waiting.append(entry)
            defer { state.isDelivering = true }
            return !state.isDelivering
        }
        if isFirst { queue.async { [self] in deliver() } }
    }

    private func deliver() {
        while true {
            let (entries, leftOut) = state.withLock { state in
                defer { (state.waiting, state.leftOut) = ([], 0) }
                if state.waiting.isEmpty { state.isDelivering = false }
                return (state.waiting, state.leftOut)
            }
            if entries.isEmpty { return }
            for entry in entries { handler(entry) }
            if leftOut > 0 { handler(PhotoLogEntry(.leftOut(leftOut))) }
        }
    }
}

/// What is logged of one photo, or of what is done for it first.
struct PhotoLogger: Sendable {
    private let log: PhotoLog
    private let photo: Photo.ID?
    private let label: String?
    private let address: ResourceAddress

    /// - Returns: nil where nobody logs.
    init?(_ log: PhotoLog?, photo: Photo.ID? = nil, label: String?, _ address: ResourceAddress) {
        guard let log else { return nil }
        self.log = log
        self.photo = photo
        self.label = label
        self.address = address
    }

    func add(_ event: PhotoLogEntry.Event) {
        log.add(PhotoLogEntry(event, photo: photo, label: label, address))
    }

    /// Logs what a change of a photo's state tells.
    func add(_ event: Photo.Event, _ update: Photo.Update) {
        switch event {
        case .requested: add(.requested)
        case .downloadStarted: add(.downloadStarted)
        case .downloadFinished: if let damage = update.damage { add(.damaged(damage)) }
        case .filteringFinished:
            // Timings are reckoned up when they are asked for.
            guard log.hears(.debug), let timings = update.timings else { return }
            add(timings.stages.allSatisfy { $0.origin == .memory } ? .cacheHit : .finished(timings))
        case .failed(let error): add(.failed(error))
        case .transferFinished, .decodingStarted, .filteringStarted, .cancelled, .filterChanged: break
        }
    }
}
