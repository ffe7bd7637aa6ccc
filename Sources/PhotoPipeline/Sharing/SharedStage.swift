import Operations
import Pixels
import Transfers

/// One stage of the way of a picture, for all photos that want what comes of it.
///
/// All of it is under the lock of its ``SharedStages``, which makes `@unchecked Sendable` true.
final class SharedStage: @unchecked Sendable {
    /// A photo that it is for.
    struct Member {
        let reporter: PhotoReporter
        /// Whether this stage is the photo's last.
        let isLast: Bool
        var priority: Operation.QueuePriority
    }

    /// What it makes.
    enum Key {
        case fetch(FetchKey)
        case decode(DecodeKey)
        case filter(FilterKey)
        case animation(DecodeKey)
    }

    let key: Key
    /// The stage before it; nil for a download, and where a picture was at hand.
    let upstream: SharedStage?
    let memory: PhotoMemory?
    /// What its picture takes of it, if it decodes one.
    var part: PhotoMemory.Part?
    /// What it does and where; set once. The last one is what the next stage depends on.
    var operations: [(operation: Operation, queue: OperationQueue)] = [] {
        didSet { operationsLeft = operations.count }
    }
    var members: [ObjectIdentifier: Member] = [:]
    /// Whose the bytes of the transfer are, of those that share it.
    var payer: ObjectIdentifier?
    /// Who follows the transfer, if it is a decoding.
    var watch: ArrivalWatch?
    /// What was reported so far, without the pictures.
    var history: [Photo.Event] = []
    /// Stages behind it that have yet to take what came of it.
    var consumers = 0
    /// Stages behind it that have taken it and are at work on it.
    var users = 0
    /// Whether it has taken what came of the stage before it.
    var hasTaken = false
    /// Nobody wants it any more.
    var isGivenUp = false
    /// What came of it was taken out by the last consumer.
    var isSpent = false
    var isRetired = false
    var operationsLeft = 0
    /// It has ended, and the memory that was held for it has been given back.
    var isOver = false
    var whenEnded: [@Sendable () -> Void] = []

    init(_ key: Key, after upstream: SharedStage?, memory: PhotoMemory?) {
        self.key = key
        self.upstream = upstream
        self.memory = memory
    }

    var hasEnded: Bool { operationsLeft == 0 }
    /// Whether another stage can be put behind it.
    var canBeContinued: Bool { !isGivenUp && !isSpent && !isRetired }
    /// Whether it can become a photo's last stage.
    var canBeJoined: Bool { !isGivenUp && !hasEnded && !isSpent }

    /// The memory of the body that it has brought, once nobody will take that and nobody is at work on it.
    var spentBody: PhotoMemory? {
        guard case .fetch = key, isSpent, users == 0 else { return nil }
        return memory
    }

    /// It and all before it.
    var way: [SharedStage] {
        var way = [self]
        while let stage = way.last?.upstream { way.append(stage) }
        return way
    }

    /// What its filter made, if it is one that is done and nobody took that.
    var filtered: ScaledPicture? {
        let result = (operations.last?.operation as? FiltrationOperation)?.result(taking: false)
        return if case .success(let entry) = result { entry } else { nil }
    }

    /// Its transfer, if it is one.
    var download: CachedDownloadOperation? { operations.last?.operation as? CachedDownloadOperation }

    /// Gives the operations the priority of the most urgent photo.
    func prioritise() {
        guard let most = members.values.map(\.priority).max(by: { $0.rawValue < $1.rawValue }) else { return }
        for (operation, _) in operations where operation.queuePriority != most && !operation.isFinished {
            operation.queuePriority = most
        }
    }
}
