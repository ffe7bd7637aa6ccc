import Dispatch
import Operations
public import PhotoPipeline

/// Makes one photo's picture with several looks, on threads of the engine, to be seen beside each other.
///
/// The published picture that the list has is made smaller once, and each look is applied to that; where the list does not have it, it
/// is fetched. What is made belongs to who is told of it; nothing is kept here.
@MainActor public final class LookSamples {
    /// How many bytes the pictures may have together. Where there are many looks, each picture is smaller.
    public nonisolated static let mostBytes = 64_000_000

    /// Called with the place of a look and its picture, on the main actor; not after ``cancel()``. Default: nobody is told.
    public var onSample: (_ place: Int, _ image: PixelBuffer) -> Void = { _, _ in }
    /// Makes them; what is on screen is filtered by another one.
    let queue = OperationQueue()
    /// Fetches the picture.
    private var task: PhotoTask?
    /// Counts what was asked for, so that what was given up is shown nowhere.
    private var round = 0

    /// Nothing is made yet.
    public init() {
        queue.name = "Looks queue"
        // One processor is the window's.
        queue.maxConcurrentOperationCount = max(1, PhotoPipeline.Configuration().decodeWidth - 1)
    }

    deinit {
        task?.cancel()
        queue.cancelAllOperations()
    }

    /// Begins to make pictures; what was asked for before is given up.
    ///
    /// - Parameters:
    ///   - looks: The looks, those first that are to be there first.
    ///   - photo: The photo.
    ///   - list: The list.
    ///   - longestSide: The longest side of the pictures in pixels, at least 1; it may become less, see ``side(_:for:)``.
    public func make(_ looks: [PhotoLook], of photo: Photo.ID, in list: PhotoList, longestSide: Int) {
        cancel()
        let (round, side) = (round, Self.side(longestSide, for: looks.count))
        let reduced: ReduceOperation
        if let original = list.state.records[photo]?.original {
            reduced = ReduceOperation(longestSide: side) { original }
        } else if case .success(let request) = list.request(for: photo, longestSide: side) {
            let task = list.pipeline.task(for: request, of: photo, label: list.catalog[photo.index].caption) { _ in }
            reduced = ReduceOperation(longestSide: side) { [weak task] in try? task?.takeScaledResult()?.get() }
            self.task = task
        } else {
            return
        }
        let samples = looks.enumerated().map { place, look in
            SampleOperation(look, of: reduced) { [weak self] image in
                // The main queue is the main actor's.
                DispatchQueue.main.async { MainActor.assumeIsolated { self?.tell(place, image, of: round) } }
            }
        }
        if let task { task.append(reduced, to: queue) } else { queue.addOperation(reduced) }
        for sample in samples {
            sample.addDependency(reduced)
            queue.addOperation(sample)
        }
        task?.start {}
    }

    /// Gives up what is not made yet, and tells nobody any more.
    public func cancel() {
        round += 1
        task?.cancel()
        task = nil
        queue.cancelAllOperations()
    }

    /// How large pictures become so that all of them together keep to ``mostBytes``.
    ///
    /// - Parameters:
    ///   - side: The longest side that they would have in pixels.
    ///   - count: How many there are.
    public nonisolated static func side(_ side: Int, for count: Int) -> Int {
        let most = (Double(mostBytes) / 4 / Double(max(1, count))).squareRoot()
        return max(1, min(side, Int(most)))
    }

    private func tell(_ place: Int, _ image: PixelBuffer, of round: Int) {
        if round == self.round { onSample(place, image) }
    }
}

/// Makes a picture smaller, for all looks.
private final class ReduceOperation: Operation, @unchecked Sendable {
    // Safe to share: `result` is behind its lock, the rest never changes after init.
    private let image: @Sendable () -> ScaledImage?
    private let longestSide: Int
    private let result = Lock<ScaledImage?>(nil)

    /// - Parameter image: Brings the picture; nil where there is none.
    init(longestSide: Int, of image: @escaping @Sendable () -> ScaledImage?) {
        (self.image, self.longestSide) = (image, longestSide)
        super.init()
        name = "Reduce"
    }

    /// The picture; nil where there is none yet.
    var reduced: ScaledImage? { result.withLock { $0 } }

    override func main() {
        guard let image = image() else { return }
        let reduced = image.reduced(to: longestSide)
        result.withLock { $0 = reduced }
    }
}

/// Gives one look to the small picture.
private final class SampleOperation: Operation, @unchecked Sendable {
    // Safe to share: nothing changes after init.
    private let look: PhotoLook
    private let source: ReduceOperation
    private let whenMade: @Sendable (PixelBuffer) -> Void

    init(_ look: PhotoLook, of source: ReduceOperation, whenMade: @escaping @Sendable (PixelBuffer) -> Void) {
        (self.look, self.source, self.whenMade) = (look, source, whenMade)
        super.init()
        name = "Filter"
    }

    override func main() {
        guard let image = source.reduced else { return }
        let made = look.applied(to: image, isCancelled: { isCancelled })
        if let made, !isCancelled { whenMade(made) }
    }
}
