import PhotoDevelopment
import PhotoPipeline

/// Does one task of a plan.
enum TaskCommand {
    static func run(_ task: TaskOptions, _ arguments: DevelopArguments) async -> ExitStatus {
        let interruption = await Interruption()
        do throws(DevelopmentError) {
            if let error = task.planError { throw error }
            let run = try TaskRun(task.task, ofPlanIn: task.plan, options: arguments.options)
            interruption.onInterrupt { run.cancel() }
            let end = try await run.run()
            let progress = run.progress
            if !arguments.isQuiet {
                Console.output(
                    "task \(task.task): \(progress.committed) of \(progress.shards) shards committed, \(progress.passed) "
                        + "by others or before; \(progress.written) photos written, \(progress.failed) failed\n")
            }
            switch end {
            case .finished: return .success
            case .cancelled:
                Console.error("classicphotos: the shard at hand is given up; the same command goes on\n")
            case .outputFailed(let error):
                Console.error(
                    "classicphotos: \(error.detail.printable)\nWhen that is mended, the same command goes on\n")
            }
            return .tryAgain
        } catch {
            Console.error("classicphotos: \("\(error)".printable)\n")
            let status = ExitStatus(error)
            // An output that cannot be written may be one that is full, or away for a while.
            return status == .unwritableOutput ? .tryAgain : status
        }
    }
}
