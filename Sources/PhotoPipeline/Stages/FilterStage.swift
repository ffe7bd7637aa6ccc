import Dispatch
import Operations
import Pixels

extension PhotoPipeline {
    /// Makes a step of what is done to a picture.
    ///
    /// - Parameters:
    ///   - decode: The decoded picture.
    ///   - beginning: What comes of it, and what is left to do for that.
    ///   - upstream: The stage that makes the picture; nil where that is at hand.
    ///   - image: The picture that is at hand, and what stands for the stages that would make it.
    func filterStage(
        _ decode: ImageKey, _ beginning: ProcessingChain.Beginning, after upstream: ImageStage?,
        _ atHand: (image: ScaledImage, times: StageTimes)?,
        _ label: String?, _ access: inout Access
    ) -> ImageStage {
        let (key, step) = (decode.processed(beginning.chain), beginning.step)
        let (image, times) = (atHand?.image, StageTimes(.processing([step])))
        // Nobody else tells it.
        let known = atHand.map { [$0.times.noting(.downloadFinished)] } ?? []
        var finished: FinishedImages?
        if configuration.imageDiskCache != nil {
            finished =
                upstream?.companion(FilterResources.self, &access)?.finished
                ?? upstream?.companion(DecodeResources.self, &access)?.finished
        }
        let room = FilterRoom(step, threads: filteringThreads)
        let parts = finished == nil && room == nil ? nil : FilterResources(finished: finished, room: room)
        return filters.add(key, after: upstream, keeping: parts, history: known, &access) { stage in
            let operation = StageOperation(
                StageOperation.name(step.stageName, label), for: key.address, of: stage, times
            ) {
                [self, finished, weak room] operation throws(PhotoError) in
                defer { room?.giveBack() }
                // Why there is none was told before.
                guard let taken = image.map({ .success($0) }) ?? upstream?.take(for: stage) else { return }
                // Nobody but the step has it any more, so that it may be changed in place.
                let before = try (consume taken).get()
                stage.tell(times.noting(.filteringStarted))
                guard let made = try self.image(of: consume before, key, step, finished, operation) else { return }
                let isFound = finished?.isComplete == true
                if !made.pixels.size.isEmpty, isFound || !key.processing.isEmpty { store(made, key) }
                if !isFound { finished?.store(made, key.processing) }
                let event = times.noting(.filteringFinished, made)
                stage.finish(with: .success(made), telling: event, remembering: event.withoutImage)
            }
            // A place is for work: behind slow filters and processors, what needs none would wait for nothing.
            let queue = key.processing.isEmpty ? pending.endQueue : pending.filtrationQueue
            guard room != nil else { return [(operation, queue)] }
            let reservation = ReservationOperation(for: key.address) { [weak room, gate, finished] in
                guard finished?.isComplete != true,
                    case .success(let image)? = image.map({ .success($0) }) ?? upstream?.product
                else { return nil }
                return room?.need(for: image, gate: gate)
            }
            reservation.name = StageOperation.name("Wait for memory", label)
            return [(reservation, pending.memoryQueue), (operation, queue)]
        }
    }

    /// What the step makes of a picture; nil where it was cancelled.
    private func image(
        of taken: consuming ScaledImage, _ key: ImageKey, _ step: ProcessingStep, _ finished: FinishedImages?,
        _ operation: StageOperation
    ) throws(PhotoError) -> ScaledImage? {
        var image = consume taken
        if let finished, finished.isComplete {
            // A beginning of what was found is nobody's.
            var found = finished.image(key.processing) ?? .none
            (found.metrics, found.lease, found.bodyNumber) = (image.metrics, image.lease, image.bodyNumber)
            return found
        }
        let before = image.takePixels()
        let memory = before.memory
        let made = try step.apply(
            to: consume before, scale: image.scale, parallelism: parallelism,
            maxPixels: configuration.decodeLimits.maxPixels,
            in: operation)
        guard let made else { return nil }
        if made.memory != memory {
            // The lease is on the picture as it was, which others have.
            let lease = MemoryLease(image.lease?.memory ?? PhotoMemory(gate: gate))
            lease.memory.take(made.byteCount, for: lease.part)
            image.lease = lease
        }
        image.pixels = made
        return image
    }

    /// How many threads a filter may take: more than there are processors only need more memory.
    private var filteringThreads: Int { min(max(1, configuration.filtrationWidth), MachineProcessors.count) }

    /// A large picture is filtered by all processors that no other photo needs at present, and the operation's thread.
    private var parallelism: RowParallelism {
        let idle = configuration.filtrationWidth - pending.count
        guard idle > 0 else { return .none }
        return RowParallelism(width: min(idle, filteringThreads) + 1) {
            DispatchQueue.concurrentPerform(iterations: $0, execute: $1)
        }
    }
}

extension PixelBuffer {
    /// Where its bytes are, and how many: another place than before for a picture that was copied or made anew.
    fileprivate var memory: Range<UInt> {
        withUnsafeBytes { bytes in
            let start = UInt(bitPattern: bytes.baseAddress)
            return start..<start + UInt(bytes.count)
        }
    }
}
