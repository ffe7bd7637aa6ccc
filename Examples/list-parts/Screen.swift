import Foundation

/// Draws sixty frames a second on the main thread, one each 17 ms, and prints a line for each.
@MainActor public final class Screen {
    private let clock = ContinuousClock()
    private var shown: ContinuousClock.Instant
    private var number = 0
    private var longest = Duration.zero

    /// Creates a screen; the time of the first frame begins.
    public init() { shown = clock.now }

    /// Waits until it is time for the next frame, and draws the rows.
    ///
    /// While it waits, the main thread is free for other tasks. The line has a square for each row, full if the row has its
    /// picture, and the time since the frame before.
    /// - Parameter draw: Draws a row, and returns whether it has its picture.
    public func frame(rows: Range<Int>, draw: (Int) -> Bool) async {
        try? await Task.sleep(until: shown + .seconds(1) / 60, clock: clock)
        let squares = rows.map { draw($0) ? "■" : "·" }.joined()
        let time = clock.now - shown
        shown = clock.now
        number += 1
        longest = max(longest, time)
        let name = "frame \(number < 10 ? " " : "")\(number)"
        print(name, "rows \(rows.lowerBound)-\(rows.upperBound - 1)", squares, milliseconds(time), separator: "   ")
    }

    /// The longest time between two frames.
    public var summary: String { "The longest frame took \(milliseconds(longest))." }
}

/// Waits until something is so, and looks each millisecond. The main thread is free meanwhile.
@MainActor public func wait(until isSo: () -> Bool) async {
    while !isSo() { try? await Task.sleep(for: .milliseconds(1)) }
}

/// A duration in whole milliseconds.
public func milliseconds(_ duration: Duration) -> String {
    "\(Int((duration / .milliseconds(1)).rounded())) ms"
}
