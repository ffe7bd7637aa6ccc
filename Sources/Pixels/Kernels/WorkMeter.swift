/// Asks whether to go on, each time that about a megapixel of work is done, so that asking costs nothing.
struct WorkMeter {
    private let isCancelled: () -> Bool
    private let interval: Int
    private var done = 0
    /// Whether the work was stopped because there was no memory for it.
    private(set) var lacksMemory = false

    init(every interval: Int = 1 << 20, isCancelled: @escaping () -> Bool) {
        self.interval = interval
        self.isCancelled = isCancelled
    }

    /// Counts pixels that are about to be worked on.
    ///
    /// - Returns: false if the work is to stop.
    mutating func goesOn(after pixels: Int) -> Bool {
        done += pixels
        guard done >= interval else { return true }
        done = 0
        return !isCancelled()
    }

    /// Notes that there is no memory to go on.
    ///
    /// - Returns: false, as the work is to stop.
    mutating func stopForWantOfMemory() -> Bool {
        lacksMemory = true
        return false
    }
}
