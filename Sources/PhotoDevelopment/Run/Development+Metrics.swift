import Operations
import PhotoPipeline

extension Development {
    /// How often the figures are written.
    private static let metricsInterval = Duration.seconds(5)

    /// Begins to write the figures, if that is asked for.
    func beginMetrics() {
        metrics?.begin(every: Self.metricsInterval, { [weak self] in self?.figures(isRunning: true).text ?? "" }) {
            [options] in options.whenMetricsFail?($0)
        }
    }

    /// Writes the figures of the end.
    func endMetrics() async {
        guard let metrics else { return }
        await metrics.end(figures(isRunning: false).text) { [options] in options.whenMetricsFail?($0) }
    }

    /// What the run is about at present.
    private func figures(isRunning: Bool) -> RunFigures {
        let (summary, window) = state.withLock { ($0.summary, $0.window) }
        var figures = RunFigures(progress: summary.progress)
        figures.startTime = startTime
        figures.isRunning = isRunning
        figures.failures = summary.failures.merging(plan.failures) { $0 - $1 }
        figures.hosts = pipeline.transferActivity
        (figures.waitingForHost, figures.waitingForSameAddress) = (window.setAside, window.parked)
        figures.waitingForJournal = window.ending
        figures.transferLimit = options.connections
        let configuration = options.pipelineConfiguration
        (figures.imagesInWork, figures.imageLimit) = (pipeline.imagesInWork, configuration.imagesInWork ?? 0)
        (figures.memoryInUse, figures.memoryLimit) = (pipeline.memoryInUse, configuration.memoryLimit)
        figures.process = .now
        if let stages = stages.meter?.totals { figures.stages = stages }
        return figures
    }
}
