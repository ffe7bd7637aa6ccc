import PhotoDevelopment
import PhotoPipeline

/// What a person reads at the end.
struct SummaryText {
    let text: String
    /// What stopped the run and what is not written beside the pictures, for standard error; empty where all went well.
    let problems: String

    init(_ summary: DevelopmentSummary, options: DevelopmentOptions, isVerbose: Bool) {
        let (progress, output) = (summary.progress, options.output)
        let written = progress.filtered + progress.filteredEarlier
        var lines = ["\(written) of \(progress.total) photos written to \(output.printable)"]
        if progress.filteredEarlier > 0 { lines.append("\(progress.filteredEarlier) of them by earlier runs") }
        if progress.damaged > 0 {
            lines.append(
                "\(progress.damaged) \(progress.damaged == 1 ? "is" : "are") damaged and kept as far as \(progress.damaged == 1 ? "it goes" : "they go")"
            )
        }
        if progress.skipped > 0 {
            lines.append("\(progress.skipped) \(progress.skipped == 1 ? "was" : "were") there already")
        }
        if progress.repeated > 0 {
            lines.append(
                "\(progress.repeated) arrived with the bytes of another, whose picture \(progress.repeated == 1 ? "it shares" : "they share")"
            )
        }
        lines += LeftOutText.counts(summary.leftOut, isNamed: isVerbose)
        if progress.failures > 0 {
            let earlier = progress.failedEarlier > 0 ? ", \(progress.failedEarlier) of them in earlier runs" : ""
            lines.append("\(progress.failures) failed\(earlier):")
            for (reason, count) in summary.failures.sorted(by: {
                ($1.value, $0.key.rawValue) < ($0.value, $1.key.rawValue)
            }) {
                lines.append("  \(count) \(reason.rawValue)")
            }
            for example in summary.examples {
                lines.append("  \(example.name.printable): \(example.error.detail.printable)")
            }
            if summary.examples.count < progress.failures {
                let rest = progress.failures - summary.examples.count
                lines.append("  … and \(rest) more; classicphotos report \(output.printable) lists all of them")
            }
            if progress.failedEarlier > 0 { lines.append("  --only-failed tries them again") }
        }
        var problems: [String] = []
        switch summary.stop {
        case .cancelled:
            lines.append("interrupted with \(summary.cancelled) left; \(Self.wayOn(options))")
        case .outputFailed(let error):
            problems.append("stopped with \(summary.cancelled) left: \(error.detail)")
            lines.append("when that is mended, \(Self.wayOn(options))")
        case nil:
            // Only where some of the photos were to be taken.
            if summary.cancelled > 0 {
                lines.append("\(summary.cancelled) not tried; \(Self.wayOn(options, toAll: true))")
            }
        }
        problems += summary.unwritten.map { "\($0)" }
        text = lines.joined(separator: "\n") + "\n"
        self.problems = problems.map { "classicphotos: \($0.printable)\n" }.joined()
    }

    /// What takes the photos that are left: the same command, without what would begin anew or, for all of them, take others.
    private static func wayOn(_ options: DevelopmentOptions, toAll: Bool = false) -> String {
        var dropped = options.skipExisting ? ["--skip-existing"] : []
        if options.resumption == .fresh { dropped.append("--fresh") }
        if toAll { dropped.append("--only-failed") }
        return "the same command " + (dropped.isEmpty ? "" : "without \(dropped.joined(separator: " and ")) ")
            + "goes on"
    }
}
