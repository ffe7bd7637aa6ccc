import CGtk

/// Brings Swift's main queue onto GTK's main loop.
///
/// Afterwards `DispatchQueue.main`, `OperationQueue.main` and `@MainActor` all mean the thread that draws. The
/// program's `main` must be synchronous: an asynchronous one runs the main queue elsewhere.
public enum MainLoop {
    private static var source: guint = 0

    /// Runs what is in the main queue whenever the main loop turns; the second call changes nothing.
    ///
    /// It has GTK's own priority for drawing (120): at a higher one, work that posts itself again and again would keep
    /// the windows from being drawn.
    public static func attachMainQueue() {
        guard source == 0 else { return }
        let descriptor = _dispatch_get_main_queue_handle_4CF()
        source = g_unix_fd_add_full(
            120, descriptor, G_IO_IN,
            { descriptor, _, _ in
                // Emptied first, so that work that arrives while the queue runs wakes the loop once more.
                var count: eventfd_t = 0
                eventfd_read(descriptor, &count)
                _dispatch_main_queue_callback_4CF(nil)
                return gboolean(1)
            }, nil, nil)
    }

    /// Turns the main loop once.
    ///
    /// - Parameter mayBlock: Whether to wait until there is something to do.
    /// - Returns: Whether something was done.
    @discardableResult
    public static func iterate(mayBlock: Bool) -> Bool {
        g_main_context_iteration(nil, mayBlock ? 1 : 0) != 0
    }
}
