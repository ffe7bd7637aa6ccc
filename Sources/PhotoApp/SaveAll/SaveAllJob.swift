import Operations
import PhotoDevelopment
import PhotoPipeline

/// All photos of a list on their way into a folder: a run that goes on where an earlier one into the same folder stopped.
final class SaveAllJob: PausableSave {
    /// Where the photos go.
    let folder: String
    /// Nil when it is over, so that another one may use the folder.
    private var development: Development?
    private let whenDone: (SaveAllJob, DevelopmentSummary) -> Void

    /// - Parameters:
    ///   - development: A run that has not begun.
    ///   - whenDone: Called once, when the run is over.
    init(
        _ development: Development, into folder: String,
        whenDone: @escaping (SaveAllJob, DevelopmentSummary) -> Void
    ) {
        (self.development, self.folder, self.whenDone) = (development, folder, whenDone)
    }

    /// Prepares a run, on a thread of the engine: folders are made, and journals read.
    static func prepare(
        _ catalog: Catalog, _ options: DevelopmentOptions
    ) async -> Result<Development, DevelopmentError> {
        let queue = OperationQueue()
        queue.name = "Preparation queue"
        return await withCheckedContinuation { continuation in
            queue.addOperation {
                do throws(DevelopmentError) {
                    continuation.resume(returning: .success(try Development(of: catalog, options: options)))
                } catch {
                    continuation.resume(returning: .failure(error))
                }
            }
        }
    }

    func start() {
        guard let development else { return }
        Task {
            let summary = await development.run()
            self.development = nil
            whenDone(self, summary)
        }
    }

    func cancel() { development?.cancel() }

    /// It writes no file that is there, and lets no other run into its folder.
    var promised: [String] { [] }

    var isWaitingForNetwork: Bool { development?.progress.isWaitingForConnectivity ?? false }

    var isPaused: Bool {
        get { development?.isSuspended ?? false }
        set { development?.isSuspended = newValue }
    }

    var progress: Double? {
        guard let progress = development?.progress, progress.done > 0 else { return nil }
        return Double(progress.done) / Double(progress.total)
    }
}
