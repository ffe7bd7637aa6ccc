import CGtk

/// Calls a closure once on the main loop, after a time; not if it is gone before.
@MainActor public final class LoopTimer {
    private var source: guint = 0
    private let body: () -> Void

    /// - Parameters:
    ///   - delay: The time until then, to the millisecond.
    ///   - body: Called then. It may let go of the timer.
    public init(after delay: Duration, _ body: @escaping () -> Void) {
        self.body = body
        // The source is removed before this object is gone.
        source = g_timeout_add(
            guint(clamping: Int(delay / .milliseconds(1))),
            { timer in
                if let timer { Unmanaged<LoopTimer>.fromOpaque(timer).takeUnretainedValue().fire() }
                return 0
            }, Unmanaged.passUnretained(self).toOpaque())
    }

    private func fire() {
        source = 0
        body()
    }

    isolated deinit {
        if source != 0 { g_source_remove(source) }
    }
}
