import PhotoDevelopment
import PhotoPipeline
import Wording

/// What a person reads at the end.
struct SummaryText {
    let text: String
    /// What stopped the run and what is not written beside the pictures, for standard error; empty where all went well.
    let problems: String

    init(_ summary: DevelopmentSummary, options: DevelopmentOptions, isVerbose: Bool) {
        let (progress, output) = (summary.progress, options.output)
        let written = progress.filtered + progress.filteredEarlier
        var lines = [tr("\(written) of \(progress.total) photos written to \(output.printable)")]
        if progress.filteredEarlier > 0 { lines.append(tr("\(progress.filteredEarlier) of them by earlier runs")) }
        if progress.damaged > 0 {
            lines.append(
                tr(
                    progress.damaged, "\(progress.damaged) is damaged and kept as far as it goes",
                    "\(progress.damaged) are damaged and kept as far as they go"))
        }
        if progress.skipped > 0 {
            lines.append(
                tr(
                    progress.skipped, "\(progress.skipped) was there already",
                    "\(progress.skipped) were there already"))
        }
        if progress.repeated > 0 {
            lines.append(
                tr(
                    progress.repeated,
                    "\(progress.repeated) arrived with the bytes of another, whose picture it shares",
                    "\(progress.repeated) arrived with the bytes of another, whose picture they share"))
        }
        lines += LeftOutText.counts(summary.leftOut, isNamed: isVerbose)
        if progress.failures > 0 {
            lines.append(
                progress.failedEarlier > 0
                    ? tr("\(progress.failures) failed, \(progress.failedEarlier) of them in earlier runs:")
                    : tr("\(progress.failures) failed:"))
            for (reason, count) in summary.failures.sorted(by: {
                ($1.value, $0.key.rawValue) < ($0.value, $1.key.rawValue)
            }) {
                lines.append("  \(count) \(reason.explained)")
            }
            for example in summary.examples {
                lines.append("  " + example.error.told(of: example.name).printable)
            }
            if summary.examples.count < progress.failures {
                let rest = progress.failures - summary.examples.count
                lines.append(
                    "  " + tr("… and \(rest) more; classicphotos report \(output.printable) lists all of them"))
            }
            if progress.failedEarlier > 0 { lines.append("  " + tr("--only-failed tries them again")) }
        }
        var problems: [String] = []
        switch summary.stop {
        case .cancelled:
            lines.append(tr("interrupted with \(summary.cancelled) left; \(Self.wayOn(options))"))
        case .outputFailed(let error):
            problems.append(tr("stopped with \(summary.cancelled) left: \(error.told)"))
            lines.append(tr("when that is mended, \(Self.wayOn(options))"))
        case nil:
            // Only where some of the photos were to be taken.
            if summary.cancelled > 0 {
                lines.append(tr("\(summary.cancelled) not tried; \(Self.wayOn(options, toAll: true))"))
            }
        }
        problems += summary.unwritten.map(\.sentence)
        text = lines.joined(separator: "\n") + "\n"
        self.problems = problems.map { "classicphotos: \($0.printable)\n" }.joined()
    }

    /// What takes the photos that are left: the same command, without what would begin anew or, for all of them, take others.
    private static func wayOn(_ options: DevelopmentOptions, toAll: Bool = false) -> Message {
        // Both cannot be given together.
        options.resumption == .fresh
            ? "the same command without --fresh goes on"
            : toAll ? "the same command without --only-failed goes on" : "the same command goes on"
    }
}
