public import PhotoPipeline

/// What became of a catalog.
public struct DevelopmentSummary: Sendable {
    /// How many photos were filtered, skipped and failed, also in earlier runs.
    public internal(set) var progress: DevelopmentProgress
    /// The files of the catalog's folder that are no photos of the run.
    public let leftOut: [LeftOutFile]
    /// How often each kind of failure happened, in this run and in those before.
    public internal(set) var failures: [PhotoError.Reason: Int] = [:]
    /// The failures that came first, at most ten, with the photos' names.
    public internal(set) var examples: [(name: String, error: PhotoError)] = []
    /// What could not be written beside the pictures: the report, the contact sheet, the trace.
    public internal(set) var unwritten: [DevelopmentError] = []
    /// What stopped the run before its end, if anything did.
    public internal(set) var stop: Stop?

    /// Why a run ended before its end.
    public enum Stop: Sendable {
        /// Somebody cancelled it.
        case cancelled
        /// A picture could not be written, so that the others could not be either.
        case outputFailed(PhotoError)
    }

    /// The photos that were not finished.
    public var cancelled: Int { progress.total - progress.done }

    static let mostExamples = 10

    init(progress: DevelopmentProgress, leftOut: [LeftOutFile]) {
        self.progress = progress
        self.leftOut = leftOut
    }
}
