import CGtk
import PhotoBrowser

extension LoadingStrategy {
    /// What it does, in two lines. Its name is the same in all languages: it is the one in the sources.
    var explanation: String {
        switch self {
        case .blocking: tr("Fetches each photo on the main thread. Nothing moves until it is there.")
        case .eager: tr("Starts every photo that comes by, in the background, and stops none.")
        case .visible: tr("Works for what is on screen, holds while you scroll fast, and drops what has left.")
        }
    }
}

/// One of the figures that strategies are compared by.
enum StrategyFigure: CaseIterable {
    case longestStall, hitches, wait, neverShown, longestLine, threads

    /// What it is called.
    var name: String {
        switch self {
        case .longestStall: tr("Longest stall")
        case .hitches: tr("Hitches")
        case .wait: tr("Wait for pictures")
        case .neverShown: tr("Never shown")
        case .longestLine: tr("Longest line")
        case .threads: tr("Threads")
        }
    }

    /// What it says about a strategy.
    var explanation: String {
        switch self {
        case .longestStall: tr("The longest time that the window could not answer.")
        case .hitches: tr("How late frames came while scrolling, in each second.")
        case .wait: tr("The longest wait, after scrolling, until all photos on screen were there.")
        case .neverShown: tr("Bytes of photos that were fetched and never shown, of all bytes.")
        case .longestLine: tr("The most photos that were asked for and not there yet.")
        case .threads: tr("The most photos that were decoded or filtered at a time, each on a thread of its own.")
        }
    }

    /// Its value as text, in the user's form of numbers.
    func text(of figures: StrategyFigures) -> String {
        switch self {
        case .longestStall: Self.time(figures.longestStall)
        case .hitches: tr("{time}/s").filled(["time": Self.time(figures.hitches)])
        case .wait:
            figures.wait.map { wait in
                figures.isWaitOver ? tr("over {time}").filled(["time": Self.time(wait)]) : Self.time(wait)
            } ?? "–"
        case .neverShown:
            tr("{part} of {all}").filled(["part": figures.neverShown.sizeText, "all": figures.received.sizeText])
        case .longestLine: tr("{count} photo", "{count} photos", figures.longestLine)
        case .threads: figures.threads.grouped
        }
    }

    /// How much it is, for a bar beside those of others; nil where more is neither better nor worse.
    func amount(of figures: StrategyFigures) -> Double? {
        switch self {
        case .longestStall: figures.longestStall
        case .hitches: figures.hitches
        case .wait: figures.wait ?? 0
        case .neverShown: Double(figures.neverShown)
        case .longestLine: Double(figures.longestLine)
        case .threads: nil
        }
    }

    /// A time in milliseconds as people say it.
    static func time(_ milliseconds: Double) -> String {
        milliseconds < 999.5
            ? tr("{number} ms").filled(["number": milliseconds.written(decimals: 0)])
            : tr("{seconds} s").filled(["seconds": (milliseconds / 1_000).written(decimals: 1)])
    }
}

extension StrategyComparison {
    /// Why the default does better, as far as the figures show it; empty while a strategy has not run.
    var conclusion: String {
        guard let findings, let blocking = figures[.blocking], let eager = figures[.eager],
            let visible = figures[.visible]
        else { return "" }
        guard hasPhotos else { return tr("None of these photos could be loaded, so that there is nothing to compare.") }
        guard !findings.isEmpty else {
            return tr("The three hardly differ this time: the photos came too soon for anybody to wait for them.")
        }
        var sentences = [tr("With “visible” the main thread only draws, and work is done only for what is seen.")]
        if findings.contains(.stalls) {
            sentences.append(
                tr("“blocking” kept the main thread for {long}, “visible” for {short}.").filled([
                    "long": StrategyFigure.time(blocking.longestStall),
                    "short": StrategyFigure.time(visible.longestStall),
                ]))
        }
        if findings.contains(.waste) {
            sentences.append(
                tr("“eager” fetched {much} that nobody saw, “visible” {little}.").filled([
                    "much": eager.neverShown.sizeText, "little": visible.neverShown.sizeText,
                ]))
        }
        if findings.contains(.line) {
            sentences.append(
                tr("With “eager” the photos on screen stood in line behind others: {long}, and {short} with “visible”.")
                    .filled([
                        "long": StrategyFigure.time(eager.wait ?? 0), "short": StrategyFigure.time(visible.wait ?? 0),
                    ]))
        }
        return sentences.joined(separator: " ")
    }
}
