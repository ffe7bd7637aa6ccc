public import FoundationEssentials
public import ImageCodecs
import Operations
import Pixels
import Transfers

/// What belongs to a decoding that photos share.
struct DecodeResources: Sendable {
    /// Who follows the transfer for those who want to see how far it is.
    let watch: ArrivalWatch
    /// On the memory of the decoded picture.
    let lease: MemoryLease
}

extension SharedStages {
    /// Finds the decoding of a photo, or makes it, with its transfer.
    func decodeStage(
        _ request: ImageRequest, _ key: DecodeKey, _ label: String?, _ access: inout Access
    ) -> PictureStage {
        if let stage = decodes.work(for: key, &access) { return stage }
        let (fetch, resources) = fetchStage(request, key.fetch, label, &access)
        let (limits, memory) = (configuration.decodeLimits, resources.lease.memory)
        let options = decodeOptions(key)
        let lease = MemoryLease(memory)
        let watch = ArrivalWatch(
            options: options, limits: limits, memory: memory, queue: pending.previewQueue,
            observe: { [weak download = resources.download] in download?.observe($0) })
        let reservation = ReservationOperation(memory: memory, part: lease.part) {
            watch.end()
            // What is no picture needs no memory; the decoding says what is wrong with it.
            guard let body = fetch.product?.response?.body else { return nil }
            return ImageDecoder.mostBytes(of: body, options, limits: limits)
        }
        reservation.name = StageOperation.name("Wait for memory", label)
        let parts = DecodeResources(watch: watch, lease: lease)
        return decodes.add(key, after: fetch, keeping: parts, &access) { stage in
            let operation = StageOperation(StageOperation.name("Decode", label), whenFailed: fail(stage)) {
                [self, weak lease] operation throws(PhotoError) in
                guard let lease else { return }
                try decode(fetch, for: stage, key, lease, operation)
            }
            return [(reservation, pending.memoryQueue), (operation, pending.decodeQueue)]
        }
    }

    private func decode(
        _ fetch: Fetch, for stage: PictureStage, _ key: DecodeKey, _ lease: MemoryLease, _ operation: StageOperation
    ) throws(PhotoError) {
        // What was fetched is let go when this has returned.
        let picture = try fetch.take(for: stage)?.withResponse { (response) throws(PhotoError) in
            stage.tell(StageEvent(.decodingStarted))
            let entry = try scaledPicture(of: response.body, key, lease, operation)
            return LeasedPicture(entry: entry, lease: lease, metrics: ImageMetrics(response))
        }
        guard let picture, !operation.isCancelled else { return }
        store(picture.entry, key, .none)
        stage.finish(
            with: .success(picture), telling: StageEvent(.downloadFinished) { picture },
            remembering: StageEvent(.downloadFinished) { [weak self] in self?.cached(key, .none) })
    }

    private func scaledPicture(
        of body: Data, _ key: DecodeKey, _ lease: MemoryLease, _ operation: StageOperation
    ) throws(PhotoError) -> ScaledPicture {
        do throws(ImageCodecError) {
            let image = try decoding(body, decodeOptions(key)) { [unowned operation] in operation.isCancelled }
            lease.memory.hold(image.picture.byteCount, for: lease.part)
            return ScaledPicture(
                picture: image.picture, scale: key.resize?.scale(of: image.info.size) ?? 1, metadata: image.metadata,
                damage: image.damage)
        } catch {
            lease.memory.hold(0, for: lease.part)
            throw PhotoError(error)
        }
    }

    /// What is said where a stage fails.
    func fail<Success>(
        _ stage: SharedWork<Result<Success, PhotoError>, StageEvent>
    ) -> @Sendable (PhotoError) -> Void {
        { [weak stage] error in stage?.finish(with: .failure(error), telling: StageEvent(.failed(error))) }
    }
}

/// Makes a picture of bytes, as the options say, and stops early where the last closure says so. What it says about the size
/// in the file counts for the lengths of filters, which shrink and grow with the picture.
///
/// It is called on threads of the engine, several at a time. The photo fails with the error that it throws.
public typealias PictureDecoding =
    @Sendable (
        _ bytes: Data, _ options: DecodeOptions, _ isCancelled: @escaping @Sendable () -> Bool
    ) throws(ImageCodecError) -> DecodedImage
