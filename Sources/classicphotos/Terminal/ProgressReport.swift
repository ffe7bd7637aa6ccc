import PhotoDevelopment

/// Shows how far a development has come: a bar that is redrawn on a terminal, a line now and then elsewhere.
///
/// A plain value; time comes in from outside.
struct ProgressReport {
    private let isTerminal: Bool
    private var lastLine: (elapsed: Duration, done: Int)?

    /// How often ``update(_:elapsed:width:)`` should be called.
    var interval: Duration { isTerminal ? .milliseconds(100) : .milliseconds(500) }

    init(isTerminal: Bool) {
        self.isTerminal = isTerminal
    }

    /// What to write now, if anything.
    mutating func update(_ progress: DevelopmentProgress, elapsed: Duration, width: Int) -> String? {
        if isTerminal { return "\r" + bar(progress, elapsed: elapsed, width: width) + "\u{1B}[K" }
        // Off a terminal a line tells something new, and there are not many of them.
        let isDue =
            lastLine.map { elapsed - $0.elapsed >= .seconds(5) && progress.done > $0.done } ?? (progress.done > 0)
        guard isDue else { return nil }
        lastLine = (elapsed, progress.done)
        return line(progress, elapsed: elapsed) + "\n"
    }

    /// What clears the way for the lines that come after the last update.
    var end: String { isTerminal ? "\r\u{1B}[K" : "" }

    private func bar(_ progress: DevelopmentProgress, elapsed: Duration, width: Int) -> String {
        let text = " " + line(progress, elapsed: elapsed)
        let room = min(32, width - text.count - 3)
        guard room >= 8 else { return String(text.dropFirst().prefix(max(0, width - 1))) }
        let filled = progress.total == 0 ? room : room * progress.done / progress.total
        return "[" + String(repeating: "#", count: filled) + String(repeating: "-", count: room - filled) + "]" + text
    }

    private func line(_ progress: DevelopmentProgress, elapsed: Duration) -> String {
        var parts = ["\(progress.done) of \(progress.total)"]
        if progress.failed > 0 { parts.append("\(progress.failed) failed") }
        let seconds = elapsed / .seconds(1)
        let worked = progress.filtered + progress.failed
        // The first moments say nothing about the pace.
        if seconds > 0.5, worked > 0 {
            let rate = Double(worked) / seconds
            parts.append("\(Figures.rate(rate)) a second")
            if progress.bytes > 0 { parts.append("\(Figures.bytes(Double(progress.bytes) / seconds))/s") }
            let left = progress.total - progress.done
            if left > 0 { parts.append("\(Figures.time(Double(left) / rate)) left") }
        }
        return parts.joined(separator: ", ")
    }
}
