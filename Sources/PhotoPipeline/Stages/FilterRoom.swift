import Operations
import Pixels

/// What belongs to the filtering of a picture that photos share.
struct FilterResources: Sendable {
    /// What is wanted of the decoding, where there is a disk cache.
    let finished: FinishedImages?
    /// For a filter that may need much memory besides the picture.
    let room: FilterRoom?
}

/// The memory that a filter needs besides the picture, from when it is reserved to when the filter is done.
final class FilterRoom: Sendable {
    /// Less is not worth waiting for.
    private static let least = 1 << 20

    private let step: ProcessingStep
    private let threads: Int
    private let lease = Lock<MemoryLease?>(nil)

    /// - Parameter threads: How many may work on a picture at the same time.
    /// - Returns: nil for a step that needs little.
    init?(_ step: ProcessingStep, threads: Int) {
        guard step.mayNeedRoom else { return nil }
        (self.step, self.threads) = (step, threads)
    }

    /// What the filter of a picture needs; nil if that is little.
    ///
    /// - Parameter gate: For a picture that is not on its way.
    func need(for image: ScaledImage, gate: MemoryGate) -> ReservationOperation.Need? {
        let bytes = step.workingBytes(for: image.pixels.size, scale: image.scale, threads: threads)
        guard bytes >= Self.least else { return nil }
        let lease = MemoryLease(image.lease?.memory ?? PhotoMemory(gate: gate))
        self.lease.withLock { $0 = lease }
        return ReservationOperation.Need(bytes: bytes, memory: lease.memory, part: lease.part)
    }

    /// Gives the memory back.
    func giveBack() {
        let lease = lease.withLock { $0.take() }
        withExtendedLifetime(lease) {}
    }
}
