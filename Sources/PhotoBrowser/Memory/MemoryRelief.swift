import Dispatch
import Operations
public import PhotoPipeline

/// Gives the memory of pictures back that nobody needs at present: when large ones are left, when nothing was done for a
/// while, and when the machine has too little.
///
/// What is on screen stays. What has gone is decoded anew when somebody comes back to it.
@MainActor public final class MemoryRelief {
    /// Whose pictures go when the machine has too little memory; nil for those of the pipeline only.
    public weak var list: PhotoList?

    private let cache: ImageCache
    private let rest: Duration
    private let giveBack: @Sendable () -> Void
    private var lastUse = ContinuousClock.now
    private var waiting: Task<Void, Never>?

    /// Begins to look after the pictures of a pipeline.
    ///
    /// - Parameters:
    ///   - pipeline: Whose memory cache is looked after.
    ///   - rest: How long nothing must have been done for most of the cache to go. Default: a minute.
    ///   - giveBack: Has the allocator give the system what it keeps for later; called on a thread of the system after
    ///     pictures have gone. Default: nothing is done.
    public init(
        _ pipeline: PhotoPipeline, rest: Duration = .seconds(60), giveBack: @escaping @Sendable () -> Void = {}
    ) {
        cache = pipeline.cache
        self.giveBack = giveBack
        self.rest = min(rest, ContinuousClock.longestPause)
    }

    deinit { waiting?.cancel() }

    /// Notes that somebody looks at photos: the cache is kept for a while.
    public func use() {
        lastUse = .now
        guard waiting == nil else { return }
        waiting = Task { [weak self, rest] in
            while let end = self?.lastUse.advanced(by: rest), end > .now {
                do { try await ContinuousClock().pause(until: end) } catch { return }
            }
            self?.endUse()
        }
    }

    private func endUse() {
        waiting = nil
        // An eighth has what is on screen, and a little around it.
        cache.trim(to: cache.limit / 8)
        giveBackSoon()
    }

    /// Lets pictures go that are larger than others need them.
    ///
    /// - Parameter longestSide: The longest side in pixels of the largest that stay.
    public func leaveLargeImages(above longestSide: Int) {
        let side = min(longestSide, 1 << 30)
        cache.removeImages(largerThan: side * side * 4)
        giveBackSoon()
    }

    /// Lets everything go but what is on screen, because the machine has too little memory.
    public func relieve() {
        cache.removeAll()
        list?.letImagesGo()
        giveBackSoon()
    }

    /// After what goes has gone: pictures are let go of by other threads, too.
    private func giveBackSoon() {
        DispatchQueue.global(qos: .utility).asyncAfter(deadline: .now() + .milliseconds(500), execute: giveBack)
    }
}
