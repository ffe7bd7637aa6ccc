import Dispatch
import Operations
import Pixels

extension SharedStages {
    /// Makes a run of a filter, or of the beginning of one.
    ///
    /// - Parameters:
    ///   - key: What comes of it.
    ///   - filter: What is left to do for that.
    ///   - upstream: The stage that makes the picture; nil where that is at hand.
    ///   - picture: The picture that is at hand.
    func filterStage(
        _ key: FilterKey, _ filter: FilterChain, after upstream: PictureStage?, _ picture: LeasedPicture?,
        _ label: String?, _ access: inout Access
    ) -> PictureStage {
        let decode = key.decode
        // Nobody else tells it.
        let known =
            upstream == nil ? [StageEvent(.downloadFinished) { [weak self] in self?.cached(decode, .none) }] : []
        return filters.add(key, after: upstream, history: known, &access) { stage in
            let operation = StageOperation(StageOperation.name("Filter", label), whenFailed: fail(stage)) {
                [self] operation throws(PhotoError) in
                // Why there is none was told before.
                guard let taken = picture.map({ .success($0) }) ?? upstream?.take(for: stage) else { return }
                apply(filter, to: try taken.get(), stage, key, operation)
            }
            return [(operation, pending.filtrationQueue)]
        }
    }

    private func apply(
        _ filter: FilterChain, to taken: consuming LeasedPicture, _ stage: PictureStage, _ key: FilterKey,
        _ operation: StageOperation
    ) {
        stage.tell(StageEvent(.filteringStarted))
        var picture = taken
        let isComplete = filter.apply(
            to: &picture.entry.picture, scale: picture.entry.scale, parallelism: parallelism,
            isCancelled: { operation.isCancelled })
        guard isComplete, !operation.isCancelled else { return }
        if !key.filter.functions.isEmpty { store(picture.entry, key.decode, key.filter) }
        let made = picture
        stage.finish(
            with: .success(made), telling: StageEvent(.filteringFinished) { made },
            remembering: StageEvent(.filteringFinished))
    }

    /// A large picture is filtered by all processors that no other photo needs at present, and the operation's thread.
    private var parallelism: RowParallelism {
        let idle = configuration.filtrationWidth - pending.count
        guard idle > 0 else { return .none }
        return RowParallelism(width: idle + 1) { DispatchQueue.concurrentPerform(iterations: $0, execute: $1) }
    }
}
