import Operations

/// Gets pictures into memory before they are asked for, at the lowest priority.
///
/// A picture that is asked for while it is on its way is raised to that priority. What has come is the pipeline's memory's: the
/// prefetcher holds nothing of it. It may be used from any thread.
///
/// <!-- given
/// import Foundation
/// let dune = URL(string: "https://example.org/dune.jpg")!
/// let requestsBelowTheLastRow = [ImageRequest(address: dune, longestSide: 256)]
/// -->
/// ```swift
/// import PhotoPipeline
///
/// let pipeline = PhotoPipeline()
/// let prefetcher = ImagePrefetcher(pipeline)
/// prefetcher.update(to: requestsBelowTheLastRow)
/// ```
/// <!-- then
/// while pipeline.cachedImage(for: requestsBelowTheLastRow[0]) == nil { usleep(1000) }
/// -->
public final class ImagePrefetcher: Sendable {
    private let pipeline: PhotoPipeline
    private struct State {
        var wanted: Set<ImageRequest> = []
        var tasks: [ImageRequest: PhotoTask] = [:]
        /// Those among the wanted that there is no picture of.
        var failed: Set<ImageRequest> = []
        /// Those among the wanted that have come, and that memory did not take: by their policy, or as they are too large for it.
        var untaken: Set<ImageRequest> = []

        func isMissing(_ request: ImageRequest) -> Bool {
            wanted.contains(request) && tasks[request] == nil && !failed.contains(request)
                && !untaken.contains(request)
        }
    }

    private let state = Lock(State())

    /// A prefetcher for the memory of a pipeline, at rest.
    public init(_ pipeline: PhotoPipeline) {
        self.pipeline = pipeline
    }

    deinit { stop() }

    /// How many pictures are on their way for it.
    public var count: Int { state.withLock { $0.tasks.count } }

    /// Works for these pictures from now on, the first ones first, and gives up those that are not among them. In a pipeline whose
    /// ``PhotoPipeline/Configuration/executionOrder`` is `lifo` the last ones are first.
    ///
    /// One that memory no longer has is fetched again. One that failed is not, for as long as it stays among them, and neither is
    /// one that memory did not take: what a policy keeps out of it, or what is larger than ``PhotoPipeline/Configuration/cacheLimit``.
    public func update(to requests: [ImageRequest]) {
        let wanted = requests.map { request in
            var request = request
            request.priority = .veryLow
            return request
        }
        let set = Set(wanted)
        let left = state.withLock { state in
            state.wanted = set
            state.failed.formIntersection(set)
            state.untaken.formIntersection(set)
            let left = state.tasks.filter { !set.contains($0.key) }
            for request in left.keys { state.tasks[request] = nil }
            return left
        }
        for task in left.values { task.cancel() }
        for request in wanted where state.withLock({ $0.isMissing(request) }) {
            if pipeline.cachedImage(for: request) == nil { start(request) }
        }
    }

    private func start(_ request: ImageRequest) {
        let task = pipeline.task(for: request, of: Photo.ID(0), logged: nil) { _ in }
        let isTaken = state.withLock { state in
            // Another thread may want others by now, or the same.
            guard state.isMissing(request) else { return false }
            state.tasks[request] = task
            return true
        }
        guard isTaken else { return }
        task.start { [state, pipeline, weak task] in
            let result = task?.takeScaledResult()
            state.withLock { state in
                guard let task, state.tasks[request] === task else { return }
                state.tasks[request] = nil
                switch result {
                case .failure: state.failed.insert(request)
                case .success(let image): if !pipeline.mayKeep(image, of: request) { state.untaken.insert(request) }
                // It was cancelled.
                case nil: break
                }
            }
        }
    }

    /// Gives everything up.
    public func stop() {
        update(to: [])
    }
}
