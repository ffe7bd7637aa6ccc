public import CGtk

/// Knows which rows of a list view are on screen, and whether the user scrolls, and says so once a frame.
///
/// Being bound is not being visible: GTK keeps some two hundred rows bound for ten that are seen. What tells is whether
/// a row's widget is mapped; and that is true only after the layout, so that changes are collected until a frame has
/// been painted. A frame may have no layout: on X11 a window that waits for its new size goes on painting its popovers.
/// All rows that have come meanwhile are mapped, some around the top and some around the selected one, far from it.
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
    /// Whether the window was laid out since rows came or went.
    private var isLaidOut = true
    private var isStopped = false
    private var phase = ScrollPhase()
    private var clock: ObjectReference?
    private var surface: ObjectReference?
    private var handlers: [(object: ObjectReference, handler: gulong)] = []
    private var timer: guint = 0

    /// Watches nothing yet.
    ///
    /// A list view makes rows while it is made itself, so that this has to be there before.
    ///
    /// - Parameters:
    ///   - onChange: Called with the positions of the rows on screen and their numbers, in their order, after a frame
    ///     in which they changed.
    ///   - onScrolling: Called when the user begins and stops to scroll fast.
    ///   - onLayout: Called after each layout of the window, when it is known which rows will be seen in this frame and
    ///     before they are drawn. A jump binds hundreds of rows and shows ten: what takes time is done here.
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
        connect(view, "realize") { [weak self] in self?.attach(to: view) }
        connect(adjustment, "value-changed") { [weak self] in
            self?.moved(
                to: gtk_adjustment_get_value(adjustment), screen: gtk_adjustment_get_page_size(adjustment))
        }
    }

    isolated deinit {
        if timer != 0 { g_source_remove(timer) }
        detach()
    }

    /// Tells nothing any more.
    public func stop() {
        isStopped = true
        detach()
    }

    /// The clock and the surface are the window's, which may have many views in its life.
    private func detach() {
        for (object, handler) in handlers {
            let object = UnsafeMutableRawPointer(object.pointer)
            // With the window they lose them by themselves.
            if g_signal_handler_is_connected(object, handler) != 0 { g_signal_handler_disconnect(object, handler) }
        }
        handlers = []
        clock = nil
        surface = nil
    }

    /// Watches a row's widget; once for each widget, however often it is bound.
    public func watch(_ widget: UnsafeMutablePointer<GtkWidget>) {
        connect(widget, "map") { [weak self] in self?.touch(isLaidOut: false) }
        connect(widget, "unmap") { [weak self] in self?.touch() }
    }

    /// A row's widget shows this number from now on.
    public func bind(_ widget: UnsafeMutablePointer<GtkWidget>, position: UInt32, identifier: Int) {
        rows[OpaquePointer(widget)] = Row(position: position, identifier: identifier)
        touch(isLaidOut: false)
    }

    /// A row's widget shows nothing any more.
    public func unbind(_ widget: UnsafeMutablePointer<GtkWidget>) {
        rows[OpaquePointer(widget)] = nil
        touch(isLaidOut: false)
    }

    private func touch(isLaidOut: Bool = true) {
        if !isLaidOut { self.isLaidOut = false }
        guard !isDirty else { return }
        isDirty = true
        if let clock { gdk_frame_clock_request_phase(clock.pointer, GDK_FRAME_CLOCK_PHASE_AFTER_PAINT) }
    }

    private func attach(to view: UnsafeMutablePointer<GtkWidget>) {
        guard !isStopped, let native = gtk_widget_get_native(view), let surface = gtk_native_get_surface(native),
            let clock = gdk_surface_get_frame_clock(surface), surface != self.surface?.pointer
        else { return }
        detach()
        let owned = (surface: ObjectReference(surface), clock: ObjectReference(clock))
        (self.surface, self.clock) = owned
        handlers = [
            // Behind the window's own handler, which was there first and lays the rows out.
            (owned.surface, connect(surface, "layout") { [weak self] (_: Int32, _: Int32) in self?.laidOut() }),
            (owned.clock, connect(clock, "after-paint") { [weak self] in self?.report() }),
        ]
    }

    private func laidOut() {
        isLaidOut = true
        onLayout()
    }

    private func report() {
        guard isDirty, !isStopped else { return }
        guard isLaidOut else {
            if let surface { gdk_surface_request_layout(surface.pointer) }
            return
        }
        let mapped = rows.filter { gtk_widget_get_mapped(cast($0.key)) != 0 }.values
        let sorted = mapped.sorted { $0.position < $1.position }
        let positions = sorted.isEmpty ? 0..<0 : Int(sorted[0].position)..<Int(sorted[sorted.count - 1].position) + 1
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
