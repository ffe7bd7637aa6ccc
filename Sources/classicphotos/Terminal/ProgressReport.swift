import PhotoDevelopment
import Wording

/// Shows how far a development has come: a bar that is redrawn on a terminal, a line now and then elsewhere, or a line of
/// JSON each second for a program that watches.
///
/// A plain value; time comes in from outside.
struct ProgressReport {
    /// How progress is shown.
    enum Style {
        case bar, lines, json
    }

    private let style: Style
    private var lastLine: (elapsed: Duration, done: Int)?
    private var hasNetwork = true

    /// How often ``update(_:elapsed:width:)`` should be called.
    var interval: Duration { style == .bar ? .milliseconds(100) : .milliseconds(500) }

    init(_ style: Style) {
        self.style = style
    }

    /// What to write now, if anything.
    mutating func update(_ progress: DevelopmentProgress, elapsed: Duration, width: Int) -> String? {
        let isDue: Bool
        switch style {
        case .bar: return "\r" + bar(progress, elapsed: elapsed, width: width) + "\u{1B}[K"
        // A line tells something new, and there are not many of them.
        case .lines:
            isDue =
                progress.isWaitingForConnectivity == hasNetwork
                || lastLine.map { elapsed - $0.elapsed >= .seconds(5) && progress.done > $0.done }
                    ?? (progress.done > 0)
        // Who watches wants to know that the program lives; a second is one also where the timer was early.
        case .json: isDue = lastLine.map { elapsed - $0.elapsed >= .milliseconds(990) } ?? true
        }
        guard isDue else { return nil }
        lastLine = (elapsed, progress.done)
        hasNetwork = !progress.isWaitingForConnectivity
        return (style == .json ? json(progress, elapsed: elapsed) : line(progress, elapsed: elapsed)) + "\n"
    }

    /// What comes last: it clears the way for the lines that come after, or tells how it all ended.
    func end(_ progress: DevelopmentProgress, elapsed: Duration) -> String {
        switch style {
        case .bar: "\r\u{1B}[K"
        case .lines: ""
        case .json: json(progress, elapsed: elapsed) + "\n"
        }
    }

    private func json(_ progress: DevelopmentProgress, elapsed: Duration) -> String {
        let seconds = (elapsed / .milliseconds(1)).rounded() / 1_000
        return "{\"seconds\": \(seconds), \"total\": \(progress.total), \"filtered\": \(progress.filtered), "
            + "\"damaged\": \(progress.damaged), "
            + "\"filtered_earlier\": \(progress.filteredEarlier), \"failed_earlier\": \(progress.failedEarlier), "
            + "\"skipped\": \(progress.skipped), \"failed\": \(progress.failed), \"bytes\": \(progress.bytes), "
            + "\"waiting\": \(progress.waiting), \"resting_hosts\": \(progress.restingHosts), "
            + "\"waiting_for_network\": \(progress.isWaitingForConnectivity)}"
    }

    private func bar(_ progress: DevelopmentProgress, elapsed: Duration, width: Int) -> String {
        // The last column stays free: some terminals go on to the next line behind it.
        let text = line(progress, elapsed: elapsed, width: width - 1)
        let room = min(32, width - text.columns - 4)
        guard room >= 8 else { return text.prefix(columns: width - 1) }
        let filled = progress.total == 0 ? room : room * progress.done / progress.total
        return "[" + String(repeating: "#", count: filled) + String(repeating: "-", count: room - filled) + "] " + text
    }

    /// - Parameter width: How long it may be: what matters least is left out until it fits.
    private func line(_ progress: DevelopmentProgress, elapsed: Duration, width: Int = .max) -> String {
        var parts = [(rank: 0, text: tr("\(progress.done) of \(progress.total)"))]
        if progress.failures > 0 {
            parts.append((1, tr(progress.failures, "\(progress.failures) failed", "\(progress.failures) failed")))
        }
        if progress.isWaitingForConnectivity { parts.append((1, tr("waiting for the network"))) }
        if progress.restingHosts > 0 {
            parts.append((3, tr(progress.restingHosts, "1 host rests", "\(progress.restingHosts) hosts rest")))
        }
        let seconds = elapsed / .seconds(1)
        let worked = progress.filtered + progress.failed
        // The first moments say nothing about the pace.
        if seconds > 0.5, worked > 0, !progress.isWaitingForConnectivity {
            let rate = Double(worked) / seconds
            parts.append((4, tr("\(Figures.rate(rate)) a second")))
            let bytes = Int(Double(progress.bytes) / seconds)
            if progress.bytes > 0 { parts.append((5, tr("\(DecimalUnits.bytes(bytes))/s"))) }
            let left = progress.total - progress.done
            if left > 0 { parts.append((2, tr("\(Figures.time(Double(left) / rate)) left"))) }
        }
        func joined() -> String { parts.map(\.text).joined(separator: ", ") }
        while joined().columns > width, let least = parts.indices.max(by: { parts[$0].rank < parts[$1].rank }),
            least > 0
        {
            parts.remove(at: least)
        }
        return joined()
    }
}
