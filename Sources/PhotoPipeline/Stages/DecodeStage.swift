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
            source: resources.source)
        let finished = finishedImages(key, options)
        _ = finished?.want(request.processing)
        let parts = DecodeResources(watch: watch, lease: lease, finished: finished)
        return decodes.add(key, after: fetch, keeping: parts, &access) { stage in
            let reservation = ReservationOperation(memory: memory, part: lease.part, for: key.address) { [decoder] in
                watch.end()
                if let bytes = finished?.complete() { return bytes }
                switch fetch.product {
                // What is no picture needs no memory; the decoding says what is wrong with it.
                case .success(let body): return decoder.mostBytes(of: body.bytes, options)
                case .failure(let error): Self.pass(error, of: fetch, to: stage, times)
                case nil: break
                }
                return nil
            }
            reservation.name = StageOperation.name("Wait for memory", label)
            let operation = StageOperation(StageOperation.name("Decode", label), for: key.address, of: stage, times) {
                [self, weak lease, observer = request.fetchObserver] operation throws(PhotoError) in
                guard let lease else { return }
                try decode(fetch, shownTo: observer, for: stage, key, lease, finished, times, operation)
            }
            let waits: [(operation: Operation, queue: OperationQueue)] = [
                (reservation, pending.memoryQueue), (operation, pending.decodeQueue),
            ]
            guard let finished else { return waits }
            let lookUp = FinishedLookUp(finished, of: fetch, lease: lease)
            lookUp.name = StageOperation.name("Look up", label)
            return [(lookUp, pending.memoryQueue)] + waits
        }
    }

    /// Has a decoding fail as its transfer did, without a turn in the decode queue, which may be suspended.
    private static func pass(_ error: PhotoError, of fetch: Fetch, to stage: ImageStage, _ times: StageTimes) {
        // There is nothing to take once the decoding was given up.
        guard fetch.take(for: stage) != nil else { return }
        let event = times.noting(.failed(error))
        stage.finish(
            with: .failure(error), telling: StageEvent(event.event, of: times, nil, endsWay: true), failed: true)
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
        _ fetch: Fetch, shownTo observer: FetchObserver?, for stage: ImageStage, _ key: ImageKey, _ lease: MemoryLease,
        _ finished: FinishedImages?, _ times: StageTimes, _ operation: StageOperation
    ) throws(PhotoError) {
        // What was fetched is let go when this has returned, unless it is kept.
        let taken = try fetch.take(for: stage).map { (fetched) throws(PhotoError) in
            let body = try fetched.get()
            observer?.show(body)
            if operation.isCancelled { return ScaledImage.none }
            stage.tell(times.noting(.decodingStarted))
            return try image(of: body, key, lease, finished, operation)
        }
        guard let image = taken, !operation.isCancelled else { return }
        let isDecoded = finished?.isComplete != true
        if isDecoded { store(image, key) }
        let event = times.noting(.downloadFinished, isDecoded ? image : nil)
        stage.finish(with: .success(image), telling: event, remembering: event.withoutImage)
    }

    /// The decoded picture; one without pixels where all that is wanted of it was found.
    private func image(
        of body: FetchedBody, _ key: ImageKey, _ lease: MemoryLease, _ finished: FinishedImages?,
        _ operation: StageOperation
    ) throws(PhotoError) -> ScaledImage {
        defer { withExtendedLifetime(body.lease) {} }
        var image = ScaledImage.none
        (image.metrics, image.lease, image.bodyNumber) = (body.metrics, lease, body.number)
        if let finished, finished.isComplete {
            if let found = finished.unpack() {
                lease.memory.hold(found, for: lease.part)
                return image
            }
            // There is memory for what was found, and that was no picture.
            lease.memory.take(decoder.mostBytes(of: body.bytes, decodeOptions(key)) ?? 0, for: lease.part)
        }
        image = try decoded(body.bytes, key, lease, operation)
        (image.metrics, image.lease, image.bodyNumber) = (body.metrics, lease, body.number)
        if let refusal = image.publishedSize.flatMap({ configuration.refusal?($0) }) {
            lease.memory.hold(0, for: lease.part)
            throw refusal
        }
        if configuration.keepsBodies { image.source = body }
        return image
    }

    private func decoded(
        _ bytes: Data, _ key: ImageKey, _ lease: MemoryLease, _ operation: StageOperation
    ) throws(PhotoError) -> ScaledImage {
        do throws(ImageCodecError) {
            // Not weakly: it is asked between rows, by several threads, and all uses of the operation would get slower.
            let image = try decoder.decoded(bytes, decodeOptions(key)) { operation.isCancelled }
            lease.memory.hold(image.pixels.byteCount, for: lease.part)
            return image
        } catch {
            lease.memory.hold(0, for: lease.part)
            throw PhotoError(error)
        }
    }
}
