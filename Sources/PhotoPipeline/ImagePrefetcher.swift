import Operations

/// Gets pictures into memory before they are asked for, at the lowest priority.
///
/// A picture that is asked for while it is on its way is raised to that priority. It may be used from any thread.
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
    private let tasks = Lock<[ImageRequest: ImageTask]>([:])

    /// A prefetcher for the memory of a pipeline, at rest.
    public init(_ pipeline: PhotoPipeline) {
        self.pipeline = pipeline
    }

    deinit { stop() }

    /// How many pictures it has asked for and not given up.
    public var count: Int { tasks.withLock { $0.count } }

    /// Works for these pictures from now on, the first ones first, and gives up those that are not among them.
    public func update(to requests: [ImageRequest]) {
        let wanted = requests.map { request in
            var request = request
            request.priority = .veryLow
            return request
        }
        let set = Set(wanted)
        let left = tasks.withLock { tasks in
            let left = tasks.filter { !set.contains($0.key) }
            for request in left.keys { tasks[request] = nil }
            return left
        }
        for task in left.values { task.cancel() }
        for request in wanted where tasks.withLock({ $0[request] == nil }) && pipeline.cachedImage(for: request) == nil
        {
            let task = pipeline.imageTask(for: request)
            let other = tasks.withLock { $0.updateValue(task, forKey: request) }
            other?.cancel()
        }
    }

    /// Gives everything up.
    public func stop() {
        update(to: [])
    }
}
