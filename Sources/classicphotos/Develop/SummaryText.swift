import PhotoDevelopment
import PhotoPipeline

/// What a person reads at the end.
struct SummaryText {
    let text: String
    /// What stopped the run and what is not written beside the pictures, for standard error; empty where all went well.
    let problems: String

    init(_ summary: DevelopmentSummary, output: String, isVerbose: Bool) {
        let progress = summary.progress
        var lines = ["\(progress.filtered) of \(progress.total) photos written to \(output.printable)"]
        if progress.skipped > 0 {
            lines.append("\(progress.skipped) \(progress.skipped == 1 ? "was" : "were") there already")
        }
        lines += LeftOutText.counts(summary.leftOut, isNamed: isVerbose)
        if progress.failed > 0 {
            lines.append("\(progress.failed) failed:")
            for (reason, count) in summary.failures.sorted(by: {
                ($1.value, $0.key.rawValue) < ($0.value, $1.key.rawValue)
            }) {
                lines.append("  \(count) \(reason.rawValue)")
            }
            for example in summary.examples {
                lines.append("  \(example.name.printable): \(example.error.detail.printable)")
            }
            if summary.examples.count < progress.failed {
                lines.append(
                    "  … and \(progress.failed - summary.examples.count) more; --report FILE lists all of them")
            }
        }
        var problems: [String] = []
        switch summary.stop {
        case .cancelled:
            lines.append("interrupted with \(summary.cancelled) left; the same command with --skip-existing goes on")
        case .outputFailed(let error):
            problems.append("stopped with \(summary.cancelled) left: \(error.detail)")
        case nil: break
        }
        problems += summary.unwritten.map { "\($0)" }
        text = lines.joined(separator: "\n") + "\n"
        self.problems = problems.map { "classicphotos: \($0.printable)\n" }.joined()
    }
}
