import ImageCodecs
import Operations
import Pixels

/// Decodes one frame and does to it what is to be done.
final class FrameOperation: Operation, @unchecked Sendable {
    // Safe to share: the mutable state is behind a lock, the rest never changes after init.
    private struct State {
        var outcome: Result<ImageAnimation.Frame, PhotoError>?
        var lease: MemoryLease?
    }

    private let index: Int
    private let source: FrameSource
    private let processing: ProcessingChain
    private let maxPixels: Int
    private let state: Lock<State>

    /// - Parameters:
    ///   - maxPixels: How large processors may make it.
    ///   - lease: On its memory, until ``giveBack()``.
    init(_ index: Int, of source: FrameSource, _ processing: ProcessingChain, maxPixels: Int, lease: MemoryLease) {
        self.index = index
        self.source = source
        self.processing = processing
        self.maxPixels = maxPixels
        state = Lock(State(lease: lease))
        super.init()
        name = "Frame \(index + 1)"
    }

    /// Takes the frame, or why there is none, out of the operation; nil before the operation has finished and when it was
    /// cancelled.
    func takeResult() -> Result<ImageAnimation.Frame, PhotoError>? {
        state.withLock { $0.outcome.take() }
    }

    /// Gives its memory back. To be called at its end, also of one that never ran: it may be kept for longer, as others have
    /// waited for it.
    func giveBack() {
        let lease = state.withLock { $0.lease.take() }
        withExtendedLifetime(lease) {}
    }

    override func main() {
        do throws(PhotoError) {
            guard let frame = try finishedFrame() else { return }
            state.withLock { $0.outcome = .success(frame) }
        } catch {
            guard !isCancelled else { return }
            fail(error)
            state.withLock { $0.outcome = .failure(error) }
        }
    }

    /// The frame with all steps done; nil where it was cancelled.
    private func finishedFrame() throws(PhotoError) -> ImageAnimation.Frame? {
        let frame = try decoded()
        var image = frame.image
        for step in processing.steps {
            let lease = state.withLock { $0.lease }
            let room = step.mayNeedRoom ? step.workingBytes(for: image.size, scale: source.scale, threads: 1) : 0
            if let lease, room > 0 { lease.memory.take(image.byteCount + room, for: lease.part) }
            let made = try step.apply(to: image, scale: source.scale, maxPixels: maxPixels, in: self)
            guard let made else { return nil }
            image = made
            if let lease {
                // Room for a filter is given back first: nothing is taken below what is held.
                if room > 0 { lease.memory.hold(image.byteCount, for: lease.part) }
                lease.memory.take(image.byteCount, for: lease.part)
            }
        }
        return isCancelled ? nil : ImageAnimation.Frame(image: image, duration: frame.duration)
    }

    private func decoded() throws(PhotoError) -> AnimationFrame {
        do throws(ImageCodecError) {
            return try source.frame(index) { [weak self] in self?.isCancelled ?? true }
        } catch {
            throw PhotoError(error)
        }
    }
}
