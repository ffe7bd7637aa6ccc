import FoundationEssentials
import ImageCodecs
import Operations
import Pixels
import Transfers

/// Follows the transfer of one decoding for all who want to see how far it is, and makes previews for them.
///
/// The client's event thread brings the bytes, which are only noted there; passes are decoded by operations, of which a
/// watch has one at a time. What a new pass could show while one is being made, or nobody has taken the last, is seen
/// in the next.
final class ArrivalWatch: BodyObserver {
    private struct Follower {
        let mailbox: UpdateMailbox
        let processing: ProcessingChain
        /// It has yet to be shown what the others have seen.
        var isNew = true
    }

    private struct State {
        var followers: [ObjectIdentifier: Follower] = [:]
        /// A body is coming of which progress is told.
        var isFollowing = false
        /// The one of that body; nil where there was no memory for what it had to keep.
        var decoder: ProgressiveDecoder?
        /// What the decoder and its bytes take, and whom that is held for.
        var memory = PreviewMemory()
        /// Bytes that the decoder has yet to be given, by the operation, and how many they are.
        var backlog: [Data] = []
        var backlogByteCount = 0
        /// Whether the decoder has all but the backlog's bytes; otherwise the operation is giving them to it.
        var isCaughtUp = true
        /// How many bytes have come.
        var position = 0
        /// How many bytes the best preview was made of.
        var shown = 0
        /// That preview, for those who come later.
        var latest: PixelBuffer?
        var operation: Operation?
        /// A pass was left out because nobody had taken the one before.
        var hasLeftOut = false
        /// Somebody is going to look whether a pass has become due.
        var hasAlarm = false
        var nextProgress = ContinuousClock.now
        var isOver = false
    }

    /// How close together progress is told.
    private static let progressInterval = Duration.milliseconds(50)

    private let options: DecodeOptions
    private let limits: DecodeLimits
    private let memory: PhotoMemory
    private let queue: OperationQueue
    private weak let source: (any FileSource)?
    private let state = Lock(State())

    /// - Parameters:
    ///   - options: As for the decoding.
    ///   - limits: As for the decoding.
    ///   - memory: Has to have room for the passes.
    ///   - queue: Where passes are decoded.
    ///   - source: Shows the body that it brings, from the beginning.
    init(
        options: DecodeOptions, limits: DecodeLimits, memory: PhotoMemory, queue: OperationQueue,
        source: (any FileSource)?
    ) {
        self.options = options
        self.limits = limits
        self.memory = memory
        self.queue = queue
        self.source = source
    }

    /// Whether a pass was left out because nobody had taken the one before.
    var hasLeftOut: Bool { state.withLock { $0.hasLeftOut } }

    // MARK: Followers

    /// Tells one more; the first one has the body watched.
    func add(_ mailbox: UpdateMailbox, _ processing: ProcessingChain) {
        mailbox.whenEmptied { [weak self] in self?.goOn() }
        let isFirst = state.withLock { state in
            guard !state.isOver else { return false }
            state.followers[ObjectIdentifier(mailbox)] = Follower(mailbox: mailbox, processing: processing)
            if state.latest != nil { schedule(&state) }
            return state.followers.count == 1
        }
        if isFirst { source?.observe(self) }
    }

    /// Tells one less; with the last one, what is being made is given up.
    func remove(_ mailbox: UpdateMailbox) {
        let isLast = state.withLock { state in
            let wasThere = state.followers.removeValue(forKey: ObjectIdentifier(mailbox)) != nil
            return wasThere && state.followers.isEmpty
        }
        if isLast { stop(for: false) }
    }

    /// The transfer is over, and with it the previews: the picture itself is next.
    func end() { stop(for: true) }

    private func stop(for good: Bool) {
        let calls = state.withLock { state -> [@Sendable () -> Void] in
            state.isOver = state.isOver || good
            // Somebody else may have come.
            guard state.isOver || state.followers.isEmpty else { return [] }
            state.isFollowing = false
            state.shown = 0
            state.latest = nil
            return giveUpDecoder(&state)
        }
        for call in calls { call() }
    }

    /// Gives up the decoder and the pass that it is in.
    /// - Returns: What is to be called outside the lock: that pass's end, and those who can have the memory now.
    private func giveUpDecoder(_ state: inout State) -> [@Sendable () -> Void] {
        var calls: [@Sendable () -> Void] = []
        if let operation = state.operation.take() { calls.append { operation.cancel() } }
        state.decoder = nil
        (state.backlog, state.backlogByteCount) = ([], 0)
        calls += state.memory.release(in: memory)
        state.memory = PreviewMemory()
        return calls
    }

    // MARK: On the event thread

    func bodyBegan(with bytes: Data, expected: Int?) {
        let calls = state.withLock { state -> [@Sendable () -> Void] in
            guard !state.isOver, !state.followers.isEmpty else { return [] }
            let calls = giveUpDecoder(&state)
            state.isFollowing = true
            state.memory.part = memory.makePart()
            // What came before may be there already, as a part of a file that was kept: it is copied only if there is room.
            if state.memory.mayKeep(bytes.count, in: memory) {
                state.decoder = ProgressiveDecoder(options, limits: limits)
                (state.backlog, state.backlogByteCount) = (bytes.isEmpty ? [] : [bytes], bytes.count)
            }
            state.position = bytes.count
            state.isCaughtUp = bytes.isEmpty
            if !bytes.isEmpty { schedule(&state) }
            return calls + [progress(&state, expected)]
        }
        for call in calls { call() }
    }

    func bodyContinued(_ piece: UnsafeRawBufferPointer, at offset: Int, expected: Int?) {
        let calls = state.withLock { state -> [@Sendable () -> Void] in
            guard state.isFollowing, offset == state.position else { return [] }
            state.position += piece.count
            return [progress(&state, expected)] + take(piece, &state)
        }
        for call in calls { call() }
    }

    /// Gives the decoder the next piece, or gives that up where there is no memory for what it has to keep.
    /// - Returns: What is to be called outside the lock.
    private func take(_ piece: UnsafeRawBufferPointer, _ state: inout State) -> [@Sendable () -> Void] {
        guard let decoder = state.decoder else { return [] }
        if !state.isCaughtUp {
            state.backlog.append(Data(piece))
            state.backlogByteCount += piece.count
        } else if decoder.append(piece) {
            schedule(&state)
        } else {
            setAlarm(&state)
        }
        let kept = decoder.keptByteCount + state.backlogByteCount
        return state.memory.mayKeep(kept, in: memory) ? [] : giveUpDecoder(&state)
    }

    private func progress(_ state: inout State, _ expected: Int?) -> @Sendable () -> Void {
        let now = ContinuousClock.now
        guard state.position > 0, now >= state.nextProgress else { return {} }
        state.nextProgress = now + Self.progressInterval
        let progress = ImageTask.Progress(receivedByteCount: state.position, expectedByteCount: expected)
        let mailboxes = state.followers.values.map(\.mailbox)
        // Outside the lock, as it wakes others.
        return { for mailbox in mailboxes { mailbox.put(progress) } }
    }

    // MARK: Passes

    /// A preview was taken: makes the one that was left out meanwhile, if there was one.
    private func goOn() {
        state.withLock { state in
            guard state.hasLeftOut, state.decoder != nil else { return }
            schedule(&state)
        }
    }

    private func schedule(_ state: inout State) {
        guard state.operation == nil, let decoder = state.decoder else { return }
        let operation = BlockOperation()
        operation.name = "Preview"
        operation.addExecutionBlock { [weak self, weak operation] in
            guard let self, let operation else { return }
            work(operation, decoder)
        }
        state.operation = operation
        queue.addOperation(operation)
    }

    /// Looks again when the pass that has come too soon after the last is due, in case nothing more comes until then.
    private func setAlarm(_ state: inout State) {
        guard !state.hasAlarm, state.operation == nil, let due = state.decoder?.nextDue else { return }
        state.hasAlarm = true
        Task { [weak self] in
            try? await ContinuousClock().sleep(until: due)
            self?.state.withLock { state in
                state.hasAlarm = false
                self?.schedule(&state)
            }
        }
    }

    private func work(_ operation: Operation, _ decoder: ProgressiveDecoder) {
        catchUp(operation, decoder)
        show(nil, operation)
        let isWorth = isWorthAPass(operation, decoder) && hasMemory(decoder)
        let position = state.withLock { $0.position }
        if isWorth, let image = try? decoder.nextPass(isCancelled: { [unowned operation] in operation.isCancelled }) {
            show((image, position), operation)
        }
        keepLess(decoder)
        state.withLock { state in
            guard state.operation === operation else { return }
            state.operation = nil
            // What came during the work found nobody to do it.
            if isWorth { setAlarm(&state) }
            if state.latest != nil, state.followers.values.contains(where: \.isNew) { schedule(&state) }
        }
    }

    /// Gives the decoder what came while it had not all.
    private func catchUp(_ operation: Operation, _ decoder: ProgressiveDecoder) {
        while true {
            let bytes = state.withLock { state -> [Data]? in
                guard state.operation === operation, !state.isCaughtUp else { return nil }
                state.isCaughtUp = state.backlog.isEmpty
                defer { (state.backlog, state.backlogByteCount) = ([], 0) }
                return state.backlog
            }
            guard let bytes, !bytes.isEmpty else { return }
            for piece in bytes { _ = decoder.append(piece) }
        }
    }

    /// Whether somebody would see it, and it would be better than what was seen.
    private func isWorthAPass(_ operation: Operation, _ decoder: ProgressiveDecoder) -> Bool {
        state.withLock { state in
            guard state.operation === operation, state.position > state.shown, decoder.nextDue != nil else {
                return false
            }
            let isWanted = state.followers.values.contains { $0.mailbox.wantsPreview }
            state.hasLeftOut = !isWanted
            return isWanted
        }
    }

    private func hasMemory(_ decoder: ProgressiveDecoder) -> Bool {
        guard let bytes = decoder.memoryNeeded else { return false }
        // The next pass asks again.
        return state.withLock { $0.decoder === decoder && $0.memory.mayMakePasses(in: bytes, in: memory) }
    }

    /// Gives back what was held for bytes that the decoder has used.
    private func keepLess(_ decoder: ProgressiveDecoder) {
        let calls = state.withLock { state in
            state.decoder === decoder ? state.memory.keepOnly(decoder.keptByteCount, in: memory) : []
        }
        for call in calls { call() }
    }

    /// Shows a new preview to all who can take one, or the newest one to those who came after it.
    /// - Parameter made: The new preview, and of how many bytes it was made.
    private func show(_ made: (image: PixelBuffer, position: Int)?, _ operation: Operation) {
        let (image, followers) = state.withLock { state -> (PixelBuffer?, [Follower]) in
            guard state.operation === operation else { return (nil, []) }
            if let made { (state.latest, state.shown) = (made.image, made.position) }
            guard let latest = state.latest else { return (nil, []) }
            let followers = state.followers.values.filter { made == nil ? $0.isNew : $0.mailbox.wantsPreview }
            for key in state.followers.keys { state.followers[key]?.isNew = false }
            return (latest, followers)
        }
        guard let image else { return }
        var processed: [ProcessingChain: ImageTask.Preview] = [:]
        for follower in followers {
            let preview =
                processed[follower.processing] ?? preview(of: image, through: follower.processing, operation)
            processed[follower.processing] = preview
            if operation.isCancelled { return }
            follower.mailbox.put(preview)
        }
    }

    private func preview(
        of image: PixelBuffer, through processing: ProcessingChain, _ operation: Operation
    ) -> ImageTask.Preview {
        guard let filter = processing.filter, !filter.functions.contains(where: \.spreads) else {
            return ImageTask.Preview(image: image, isFiltered: false)
        }
        var filtered = image
        // No function is left that depends on the scale.
        let isFiltered = filter.apply(
            to: &filtered, scale: 1, parallelism: .none, isCancelled: { operation.isCancelled })
        return ImageTask.Preview(image: filtered, isFiltered: isFiltered)
    }
}
