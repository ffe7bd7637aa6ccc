/// How long a photo waited and was worked on, stage by stage.
///
/// It is for developers who want to know where the time goes: in the queue of a stage, which may be too narrow, or in its work.
///
/// <!-- given
/// import Foundation
/// let pipeline = PhotoPipeline()
/// let request = ImageRequest(address: URL(string: "https://example.org/dune.jpg")!, longestSide: 256)
/// -->
/// ```swift
/// import PhotoPipeline
///
/// let task = pipeline.imageTask(for: request)
/// _ = try await task.value
/// for stage in task.timings?.stages ?? [] {
///     print(stage.work, stage.origin, stage.waited, stage.worked)
/// }
/// ```
/// <!-- prints
/// download own …
/// decode own …
/// processing(none) own …
/// -->
public struct PhotoTimings: Hashable, Sendable {
    /// One stage on the way of a photo.
    public struct Stage: Hashable, Sendable {
        /// What the stage does.
        public enum Work: Hashable, Sendable, CustomStringConvertible {
            /// It brings the file: over the network, with all that is tried again, from a disk, or by a loader.
            case download
            /// It makes pixels of the file.
            case decode
            /// It does these steps of ``ImageRequest/processing``; nothing is a step too.
            case processing(ProcessingChain)

            /// The stage's name, and its steps.
            public var description: String {
                switch self {
                case .download: "download"
                case .decode: "decode"
                case .processing(let chain): "processing(\(chain))"
                }
            }
        }

        /// For whom the stage works.
        public enum Origin: String, Hashable, Sendable {
            /// For this photo, and for others who came later.
            case own
            /// For another photo that wanted the same before.
            case shared
            /// What comes of it was in memory.
            case memory
        }

        /// What it does.
        public let work: Work
        /// For whom it did that.
        public let origin: Origin
        /// How long the photo waited for the stage to begin: from when it was asked for, or from when the stage before had
        /// ended. For decoding that is also the wait for memory.
        public let waited: Duration
        /// How long the stage took, for whomever; a part of that may have been before this photo was asked for.
        public let worked: Duration
    }

    /// The stages that have begun, in their order. What comes from memory has none before it.
    public let stages: [Stage]
    /// From when the photo was asked for to its result.
    public let total: Duration
}

/// What is needed to tell the timings of one photo; they are only reckoned up where somebody asks.
struct PhotoTimes: Sendable {
    let requested: ContinuousClock.Instant
    private(set) var stages: [StageTimes] = []
    /// When there was a result; nil before that.
    var ended: ContinuousClock.Instant?

    /// Those of a photo that is asked for now.
    init() { requested = .now }

    mutating func insert(_ stage: StageTimes) {
        // A stage tells several times, and a few stages are all there are.
        if !stages.contains(where: { $0 === stage }) { stages.append(stage) }
    }

    /// The timings; nil before there is a result.
    var timings: PhotoTimings? { timings(until: ended) }

    /// The timings of one that ends without a result.
    func timings(until ended: ContinuousClock.Instant?) -> PhotoTimings? {
        guard let ended else { return nil }
        var ready = requested
        var told: [PhotoTimings.Stage] = []
        for stage in stages {
            if stage.isFromMemory {
                told.append(PhotoTimings.Stage(work: stage.work, origin: .memory, waited: .zero, worked: .zero))
                continue
            }
            guard let began = stage.began else { continue }
            let stageEnd = stage.ended ?? ended
            told.append(
                PhotoTimings.Stage(
                    work: stage.work, origin: stage.asked < requested ? .shared : .own,
                    waited: max(began - ready, .zero), worked: max(stageEnd - began, .zero)))
            ready = max(ready, stageEnd)
        }
        return PhotoTimings(stages: told, total: ended - requested)
    }
}
