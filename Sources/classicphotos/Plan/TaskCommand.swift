import PhotoDevelopment
import PhotoPipeline
import Wording

/// Does one task of a plan.
enum TaskCommand {
    /// - Parameter interruption: What gives the shard at hand up.
    static func run(
        _ task: TaskOptions, _ arguments: DevelopArguments, until interruption: Interruption
    ) async -> ExitStatus {
        do throws(DevelopmentError) {
            if let error = task.planError { throw error }
            let run = try TaskRun(task.task, ofPlanIn: task.plan, options: arguments.options)
            interruption.onInterrupt { run.cancel() }
            let end = try await run.run()
            let progress = run.progress
            if !arguments.isQuiet {
                // The status of a task is for engines, and tells of its shards alone.
                Console.remark(
                    tr(
                        "task \(task.task): \(progress.committed) of \(CountedMessage.shards(progress.shards)) committed, "
                            + "\(progress.passed) by others or before; \(CountedMessage.photos(progress.written)) written, "
                            + "\(progress.failed) failed")
                        + "\n")
            }
            switch end {
            case .finished: return .success
            case .cancelled:
                Console.problem("the shard at hand is given up; the same command goes on")
            case .outputFailed(let error):
                Console.error("classicphotos: \(error.told.printable)\n")
                Console.tell("When that is mended, the same command goes on")
            }
            return .tryAgain
        } catch {
            Console.problem(error)
            let status = ExitStatus(error)
            // What cannot be read or written may be full, or away for a while.
            return status == .unwritableOutput ? .tryAgain : status
        }
    }
}
