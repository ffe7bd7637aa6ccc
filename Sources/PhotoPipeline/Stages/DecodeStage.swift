import FoundationEssentials
import ImageCodecs
import Operations
import Pixels
import Transfers

/// What belongs to a decoding that photos share.
struct DecodeResources: Sendable {
    /// Who follows the transfer for those who want to see how far it is.
    let watch: ArrivalWatch
    /// On the memory of the decoded picture.
    let lease: MemoryLease
    /// What is wanted of it, where there is a disk cache.
    let finished: FinishedImages?
}

extension PhotoPipeline {
    /// Finds the decoding of a photo, or makes it, with its transfer.
    func decodeStage(
        _ request: ImageRequest, _ key: ImageKey, _ label: String?, _ access: inout Access
    ) -> ImageStage {
        if let stage = decodes.work(for: key, &access) {
            let finished = stage.companion(DecodeResources.self, &access)?.finished
            if finished?.want(request.processing) ?? true { return stage }
        }
        let (fetch, resources) = fetchStage(request, key.file, label, &access)
        let (limits, memory) = (configuration.decodeLimits, resources.lease.memory)
        let options = decodeOptions(key)
        let (lease, times) = (MemoryLease(memory), StageTimes(.decode))
        let watch = ArrivalWatch(
            options: options, limits: limits, memory: memory, queue: pending.previewQueue,
            observe: { [weak source = resources.source] in source?.observe($0) })
        let finished = finishedImages(key, options)
        _ = finished?.want(request.processing)
        let reservation = ReservationOperation(memory: memory, part: lease.part) { [decoder] in
            watch.end()
            if let bytes = finished?.complete() { return bytes }
            // What is no picture needs no memory; the decoding says what is wrong with it.
            guard let bytes = fetch.product?.bytes else { return nil }
            return decoder.mostBytes(of: bytes, options)
        }
        reservation.name = StageOperation.name("Wait for memory", label)
        let parts = DecodeResources(watch: watch, lease: lease, finished: finished)
        return decodes.add(key, after: fetch, keeping: parts, &access) { stage in
            let operation = StageOperation(StageOperation.name("Decode", label), whenFailed: fail(stage, times)) {
                [self, weak lease] operation throws(PhotoError) in
                guard let lease else { return }
                try decode(fetch, for: stage, key, lease, finished, times, operation)
            }
            let waits = [(reservation as Operation, pending.memoryQueue), (operation, pending.decodeQueue)]
            guard let finished else { return waits }
            let lookUp = FinishedLookUp(finished, lease: lease) { fetch.product }
            lookUp.name = StageOperation.name("Look up", label)
            return [(lookUp, pending.memoryQueue)] + waits
        }
    }

    private func finishedImages(_ key: ImageKey, _ options: DecodeOptions) -> FinishedImages? {
        // What is decoded proves that a body is whole, where that is kept.
        guard let cache = configuration.imageDiskCache, key.policy != .ignored, !configuration.keepsBodies,
            configuration.refusal == nil
        else {
            return nil
        }
        return FinishedImages(cache, key, options, decoder)
    }

    private func decode(
        _ fetch: Fetch, for stage: ImageStage, _ key: ImageKey, _ lease: MemoryLease, _ finished: FinishedImages?,
        _ times: StageTimes, _ operation: StageOperation
    ) throws(PhotoError) {
        // What was fetched is let go when this has returned, unless it is kept.
        let image = try fetch.take(for: stage).map { (body) throws(PhotoError) in
            try body.withBytes { (bytes, metrics) throws(PhotoError) in
                stage.tell(times.noting(.decodingStarted))
                if let finished, finished.isComplete {
                    if let found = finished.unpack() {
                        lease.memory.hold(found, for: lease.part)
                        return LeasedImage(entry: .none, lease: lease, metrics: metrics, finished: finished)
                    }
                    // There is memory for what was found, and that was no picture.
                    lease.memory.take(decoder.mostBytes(of: bytes, decodeOptions(key)) ?? 0, for: lease.part)
                }
                var entry = try scaledImage(of: bytes, key, lease, operation)
                if let refusal = entry.publishedSize.flatMap({ configuration.refusal?($0) }) {
                    lease.memory.hold(0, for: lease.part)
                    throw refusal
                }
                if configuration.keepsBodies { entry.source = body }
                return LeasedImage(entry: entry, lease: lease, metrics: metrics, finished: finished)
            }
        }
        guard let image, !operation.isCancelled else { return }
        let isDecoded = image.finished?.isComplete != true
        if isDecoded { store(image.entry, key) }
        stage.finish(
            with: .success(image), telling: times.noting(.downloadFinished) { isDecoded ? image : nil },
            remembering: times.noting(.downloadFinished) { [weak self] in self?.cached(key) })
    }

    private func scaledImage(
        of bytes: Data, _ key: ImageKey, _ lease: MemoryLease, _ operation: StageOperation
    ) throws(PhotoError) -> ScaledImage {
        do throws(ImageCodecError) {
            let entry = try decoder.decoded(bytes, decodeOptions(key)) { [weak operation] in
                operation?.isCancelled ?? true
            }
            lease.memory.hold(entry.pixels.byteCount, for: lease.part)
            return entry
        } catch {
            lease.memory.hold(0, for: lease.part)
            throw PhotoError(error)
        }
    }

    /// What is said where a stage fails.
    func fail<Success>(
        _ stage: SharedWork<Result<Success, PhotoError>, StageEvent>, _ times: StageTimes
    ) -> @Sendable (PhotoError) -> Void {
        { [weak stage] error in stage?.finish(with: .failure(error), telling: times.noting(.failed(error))) }
    }
}
