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
        // The last column stays free: some terminals go on to the next line behind it.
        let text = line(progress, elapsed: elapsed, width: width - 1)
        let room = min(32, width - text.count - 4)
        guard room >= 8 else { return String(text.prefix(max(0, width - 1))) }
        let filled = progress.total == 0 ? room : room * progress.done / progress.total
        return "[" + String(repeating: "#", count: filled) + String(repeating: "-", count: room - filled) + "] " + text
    }

    /// - Parameter width: How long it may be: what matters least is left out until it fits.
    private func line(_ progress: DevelopmentProgress, elapsed: Duration, width: Int = .max) -> String {
        var parts = [(rank: 0, text: "\(progress.done) of \(progress.total)")]
        if progress.failed > 0 { parts.append((1, "\(progress.failed) failed")) }
        let seconds = elapsed / .seconds(1)
        let worked = progress.filtered + progress.failed
        // The first moments say nothing about the pace.
        if seconds > 0.5, worked > 0 {
            let rate = Double(worked) / seconds
            parts.append((3, "\(Figures.rate(rate)) a second"))
            if progress.bytes > 0 { parts.append((4, "\(Figures.bytes(Double(progress.bytes) / seconds))/s")) }
            let left = progress.total - progress.done
            if left > 0 { parts.append((2, "\(Figures.time(Double(left) / rate)) left")) }
        }
        func joined() -> String { parts.map(\.text).joined(separator: ", ") }
        while joined().count > width, let least = parts.indices.max(by: { parts[$0].rank < parts[$1].rank }), least > 0
        {
            parts.remove(at: least)
        }
        return joined()
    }
}
