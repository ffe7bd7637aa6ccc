public import CGtk

/// Knows which rows of a list view are on screen, and whether the user scrolls, and says so once a frame.
///
/// Being bound is not being visible: GTK keeps some two hundred rows bound for ten that are seen. What tells is whether
/// a row's widget is mapped; and that is true only after the layout, so that changes are collected until a frame has
/// been painted.
@MainActor public final class MappedRows {
    private struct Row {
        var position: UInt32
        var identifier: Int
    }

    private let onChange: (_ positions: Range<Int>, _ identifiers: [Int]) -> Void
    private let onScrolling: (Bool) -> Void
    private let onLayout: () -> Void
    private var rows: [OpaquePointer: Row] = [:]
    private var reported: (positions: Range<Int>, identifiers: [Int]) = (0..<0, [])
    private var isDirty = false
    private var isStopped = false
    private var phase = ScrollPhase()
    private var clock: ObjectReference?
    private var clockHandlers: [gulong] = []
    private var timer: guint = 0

    /// Watches nothing yet.
    ///
    /// A list view makes rows while it is made itself, so that this has to be there before.
    ///
    /// - Parameters:
    ///   - onChange: Called with the positions of the rows on screen and their numbers, in their order, after a frame
    ///     in which they changed.
    ///   - onScrolling: Called when the user begins and stops to scroll fast.
    ///   - onLayout: Called in each frame in which something may have moved, when it is known which rows will be seen in
    ///     it and before they are drawn. A jump binds hundreds of rows and shows ten: what takes time is done here.
    public init(
        onChange: @escaping (_ positions: Range<Int>, _ identifiers: [Int]) -> Void,
        onScrolling: @escaping (Bool) -> Void,
        onLayout: @escaping () -> Void = {}
    ) {
        self.onChange = onChange
        self.onScrolling = onScrolling
        self.onLayout = onLayout
    }

    /// Follows a list view, which is not on screen yet; once.
    ///
    /// - Parameters:
    ///   - view: The view whose rows are watched.
    ///   - adjustment: The vertical one of the scrolled window around it.
    public func follow(
        _ view: UnsafeMutablePointer<GtkWidget>, adjustment: UnsafeMutablePointer<GtkAdjustment>
    ) {
        connect(view, "realize") { [weak self] in self?.attachToClock(of: view) }
        connect(adjustment, "value-changed") { [weak self] in
            self?.moved(
                to: gtk_adjustment_get_value(adjustment), screen: gtk_adjustment_get_page_size(adjustment))
        }
    }

    isolated deinit {
        if timer != 0 { g_source_remove(timer) }
        detachFromClock()
    }

    /// Tells nothing any more.
    public func stop() {
        isStopped = true
        detachFromClock()
    }

    /// The clock is the window's, which may have many views in its life.
    private func detachFromClock() {
        guard let clock else { return }
        let object = UnsafeMutableRawPointer(clock.pointer)
        // With the window the clock loses them by itself.
        for handler in clockHandlers where g_signal_handler_is_connected(object, handler) != 0 {
            g_signal_handler_disconnect(object, handler)
        }
        clockHandlers = []
        self.clock = nil
    }

    /// Watches a row's widget; once for each widget, however often it is bound.
    public func watch(_ widget: UnsafeMutablePointer<GtkWidget>) {
        connect(widget, "map") { [weak self] in self?.touch() }
        connect(widget, "unmap") { [weak self] in self?.touch() }
    }

    /// A row's widget shows this number from now on.
    public func bind(_ widget: UnsafeMutablePointer<GtkWidget>, position: UInt32, identifier: Int) {
        rows[OpaquePointer(widget)] = Row(position: position, identifier: identifier)
        touch()
    }

    /// A row's widget shows nothing any more.
    public func unbind(_ widget: UnsafeMutablePointer<GtkWidget>) {
        rows[OpaquePointer(widget)] = nil
        touch()
    }

    private func touch() {
        guard !isDirty else { return }
        isDirty = true
        if let clock { gdk_frame_clock_request_phase(clock.pointer, GDK_FRAME_CLOCK_PHASE_AFTER_PAINT) }
    }

    private func attachToClock(of view: UnsafeMutablePointer<GtkWidget>) {
        guard !isStopped, let clock = gtk_widget_get_frame_clock(view), clock != self.clock?.pointer else { return }
        detachFromClock()
        self.clock = ObjectReference(clock)
        clockHandlers = [
            // Behind the window's own handler, which was there first and lays the rows out.
            connect(clock, "layout") { [weak self] in self?.onLayout() },
            connect(clock, "after-paint") { [weak self] in self?.report() },
        ]
    }

    private func report() {
        guard isDirty, !isStopped else { return }
        let mapped = rows.filter { gtk_widget_get_mapped(cast($0.key)) != 0 }
        let sorted = mapped.values.sorted { $0.position < $1.position }
        let positions = sorted.isEmpty ? 0..<0 : Int(sorted[0].position)..<Int(sorted[sorted.count - 1].position) + 1
        // A window on X11 that waits for its new size has frames without a layout. All rows that came since are mapped,
        // some around the top and some around the selected one, and whatever lies between these two is not on screen.
        guard positions.count == sorted.count, mapped.keys.allSatisfy({ gtk_widget_get_height(cast($0)) > 0 }) else {
            return
        }
        isDirty = false
        let visible = sorted.map(\.identifier)
        guard visible != reported.identifiers || positions != reported.positions else { return }
        reported = (positions, visible)
        onChange(positions, visible)
    }

    // MARK: Scrolling

    private func moved(to position: Double, screen: Double) {
        let wasScrolling = phase.isScrolling
        phase.moved(to: position, screen: screen, at: .now)
        guard phase.isScrolling, !wasScrolling, !isStopped else { return }
        onScrolling(true)
        let context = Unmanaged.passUnretained(self).toOpaque()
        // The timer is removed before this object is gone.
        timer = g_timeout_add(
            20,
            { context in
                guard let context else { return 0 }
                return Unmanaged<MappedRows>.fromOpaque(context).takeUnretainedValue().checkPhase() ? 1 : 0
            }, context)
    }

    /// Whether to check again later.
    private func checkPhase() -> Bool {
        guard phase.check(at: .now) else { return true }
        timer = 0
        if !isStopped { onScrolling(false) }
        return false
    }
}
