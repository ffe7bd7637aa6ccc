import ImageCodecs
import PhotoDevelopment
import PhotoPipeline
import Transfers
import Wording

/// `classicphotos develop`: a whole catalog, with progress, a summary, and an exit status that tells the truth.
enum DevelopCommand {
    static func run(arguments: [String]) async -> ExitStatus {
        let parser = DevelopArguments.parser
        let understood: DevelopArguments
        var task: TaskOptions?
        var interruption: Interruption?
        do throws(UsageError) {
            guard let values = try parser.read(arguments) else { return .success }
            // A store may take a minute to give the plan. Engines begin a task again that is told to end meanwhile, and as the first process
            // of a container, it would not hear of that by itself.
            if values.text("plan") != nil { interruption = await Interruption(endStatus: .tryAgain) }
            task = try TaskOptions(values)
            if task == nil, StoreLocation.isMeant(values.text("output") ?? "") {
                throw UsageError("an object store takes the shards of a plan: classicphotos plan, then develop --plan")
            }
            understood = try DevelopArguments(task?.values ?? values)
        } catch {
            return Console.usageError(error, command: "develop")
        }
        if let task, let interruption { return await TaskCommand.run(task, understood, until: interruption) }
        return await understood.isDryRun ? DryRun.show(understood) : develop(understood)
    }

    private static func develop(_ arguments: DevelopArguments) async -> ExitStatus {
        let interruption = await Interruption()
        guard let catalog = await arguments.loadCatalog() else { return .unreadableCatalog }
        let development: Development
        do {
            development = try Development(of: catalog, options: arguments.options)
        } catch {
            Console.problem(error)
            return ExitStatus(error)
        }
        if arguments.isVerbose { Console.error(LeftOutText.lines(development.leftOut, of: arguments.catalog.argument)) }
        interruption.onInterrupt { development.cancel() }
        let progress = arguments.progress.map { style in
            Task { @MainActor in await showProgress(of: development, style) }
        }
        let summary = await development.run()
        progress?.cancel()
        await progress?.value
        if arguments.isVerbose {
            for wall in HelperConfinement.missing {
                Console.tell("confinement: decoders ran without \(wall), which this system does not have")
            }
        }
        let said = SummaryText(summary, options: arguments.options, isVerbose: arguments.isVerbose)
        // What was asked for is in the output folder; who has closed standard output does not want to read about it.
        if !arguments.isQuiet, !Console.outputIsClosed { Console.output(said.text) }
        Console.error(said.problems)
        return status(of: summary, interruption: interruption.status)
    }

    /// - Parameter interruption: The status that tells of a signal; nil where none came.
    private static func status(of summary: DevelopmentSummary, interruption: ExitStatus?) -> ExitStatus {
        if let interruption, summary.cancelled > 0 { return interruption }
        if !summary.unwritten.isEmpty { return .unwritableOutput }
        switch summary.stop {
        case .outputFailed: return .unwritableOutput
        case .cancelled: return .interrupted
        // Rows are left where only some were to be taken.
        case nil: return summary.progress.failures > 0 || summary.cancelled > 0 ? .someFailed : .success
        }
    }

    /// Until it is cancelled.
    @MainActor
    private static func showProgress(of development: Development, _ style: ProgressReport.Style) async {
        let began = ContinuousClock.now
        var report = ProgressReport(style)
        while !Task.isCancelled {
            let elapsed = ContinuousClock.now - began
            if let text = report.update(development.progress, elapsed: elapsed, width: Console.width) {
                Console.error(text)
            }
            try? await Task.sleep(for: report.interval)
        }
        Console.error(report.end(development.progress, elapsed: ContinuousClock.now - began))
    }
}
