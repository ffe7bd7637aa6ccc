import Operations
import PhotoPipeline

/// Adds up what the stages of a run take and write, from any thread.
final class StageMeter: Sendable {
    /// What a photo goes through, as metrics call it.
    enum Stage: String, CaseIterable {
        case download, decode, filter, write
    }

    /// What has been added up.
    struct Totals {
        /// How long stages worked.
        var worked: [Stage: DurationHistogram] = [:]
        /// How long photos waited for stages.
        var waited: [Stage: DurationHistogram] = [:]
        /// The bytes of results.
        var writtenBytes = 0
    }

    private let state = Lock(Totals())

    var totals: Totals { state.withLock { $0 } }

    /// Adds what one attempt at a photo took. What was done for another photo counts there.
    func add(_ timings: PhotoTimings) {
        state.withLock { totals in
            for stage in timings.stages where stage.origin == .own {
                let kind: Stage =
                    switch stage.work {
                    case .download: .download
                    case .decode: .decode
                    case .processing: .filter
                    }
                totals.worked[kind, default: DurationHistogram()].add(stage.worked)
                totals.waited[kind, default: DurationHistogram()].add(stage.waited)
            }
        }
    }

    /// Adds a result of so many bytes, which was encoded and handed to the disk in this time.
    func add(written bytes: Int, in time: Duration) {
        state.withLock { totals in
            totals.writtenBytes += bytes
            totals.worked[.write, default: DurationHistogram()].add(time)
        }
    }
}
