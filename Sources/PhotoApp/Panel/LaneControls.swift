import CGtk
import GtkSupport
import Operations

/// A queue's name, its width and whether it is suspended, beside its lane.
final class LaneControls {
    let widget = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 6)
    let queue: OperationQueue
    private let state = gtk_label_new(nil)
    private let fold = gtk_button_new_from_icon_name("pan-down-symbolic")
    /// Runs one operation; nil where nobody may do that by hand.
    private var step: Widget?
    /// How many run side by side, and whether the queue is suspended; nil where nobody may say so.
    private var width: Widget?
    private var suspend: Widget?
    /// Runs one operation of the suspended queue.
    private var stepping: Task<Void, Never>?
    /// Called when the lane is folded, or unfolded.
    var onFold: (Bool) -> Void = { _ in }
    /// Whether there is only a line of it.
    var isFolded = false { didSet { showFold() } }
    private var shown = ""

    private let onSuspend: () -> Void

    /// - Parameters:
    ///   - hasWidth: Whether the user may say how many run side by side, and suspend the queue.
    ///   - canStep: Whether the user may run one operation by hand while the queue is suspended.
    ///   - onSuspend: Called when the user has suspended the queue, or has it go on.
    init(
        _ queue: OperationQueue, name: String, hasWidth: Bool, canStep: Bool, onSuspend: @escaping () -> Void
    ) {
        self.queue = queue
        self.onSuspend = onSuspend
        guard let widget, let state, let texts = gtk_box_new(GTK_ORIENTATION_VERTICAL, 2),
            let title = gtk_label_new(name)
        else { return }
        gtk_widget_set_vexpand(widget, 0)
        gtk_widget_set_hexpand(texts, 1)
        gtk_widget_set_margin_end(texts, 6)
        // The timeline is what gets the room.
        gtk_widget_set_hexpand(widget, 0)
        // Where bars begin; so a low window shows the name, too.
        gtk_widget_set_valign(texts, GTK_ALIGN_START)
        gtk_widget_set_margin_top(texts, 4)
        gtk_label_set_xalign(OpaquePointer(title), 0)
        gtk_widget_add_css_class(title, "lane-name")
        gtk_label_set_xalign(OpaquePointer(state), 0)
        gtk_widget_add_css_class(state, "caption")
        gtk_widget_add_css_class(state, "numeric")
        for child in [title, state] { gtk_box_append(cast(texts), child) }
        if let fold {
            for style in ["flat", "fold"] { gtk_widget_add_css_class(fold, style) }
            gtk_widget_set_valign(fold, GTK_ALIGN_START)
            gtk_widget_set_margin_top(fold, 4)
            WindowHeader.name(fold, tr("Fold: {queue}").filled(["queue": name]))
            connect(fold, "clicked") { [weak self] in self?.isFolded.toggle() }
            gtk_box_append(cast(widget), fold)
        }
        gtk_box_append(cast(widget), texts)
        if hasWidth {
            if canStep { addStep(name) }
            addControls(name)
        }
        showFold()
    }

    private func showFold() {
        let height = isFolded ? TimelineView.lowHeight : TimelineView.laneHeight
        gtk_widget_set_size_request(widget, -1, Int32(height))
        gtk_button_set_icon_name(cast(fold), isFolded ? "pan-end-symbolic" : "pan-down-symbolic")
        for part in [state, width, suspend].compactMap(\.self) { gtk_widget_set_visible(part, isFolded ? 0 : 1) }
        showStep()
        onFold(isFolded)
    }

    /// One step can be made where the queue makes none by itself. While one is made, the button does nothing: insensitive, it would lose the
    /// keyboard at each step.
    private func showStep() {
        guard let step else { return }
        let isShown = !isFolded && (queue.isSuspended || stepping != nil)
        gtk_widget_set_visible(step, isShown ? 1 : 0)
    }

    private func addStep(_ name: String) {
        guard let step = gtk_button_new_from_icon_name("media-skip-forward-symbolic") else { return }
        self.step = step
        WindowHeader.name(step, tr("Run the next operation: {queue}").filled(["queue": name]))
        gtk_widget_set_valign(step, GTK_ALIGN_CENTER)
        gtk_box_append(cast(widget), step)
        connect(step, "clicked") { [weak self] in self?.makeStep() }
    }

    /// Whether an operation is being run by hand.
    var isStepping: Bool { stepping != nil }

    /// Runs the next operation of the suspended queue.
    func makeStep() {
        guard queue.isSuspended, stepping == nil else { return }
        let queue = queue
        stepping = Task { [weak self] in
            await QueueStep.run(queue)
            guard let self else { return }
            stepping = nil
            // Whoever ends it says what comes of the queue, and may have closed the window.
            guard !Task.isCancelled else { return }
            showStep()
            onSuspend()
        }
        showStep()
    }

    /// Runs no operation by hand any more, and leaves the queue suspended or going, as it is.
    func endStep() { stepping?.cancel() }

    private func addControls(_ name: String) {
        let (queue, onSuspend) = (queue, onSuspend)
        guard let suspend = gtk_toggle_button_new(), let width = gtk_spin_button_new_with_range(1, 64, 1) else {
            return
        }
        (self.suspend, self.width) = (suspend, width)
        gtk_spin_button_set_value(OpaquePointer(width), Double(queue.maxConcurrentOperationCount))
        WindowHeader.name(width, tr("How many run side by side: {queue}").filled(["queue": name]))
        connect(width, "value-changed") {
            queue.maxConcurrentOperationCount = Int(gtk_spin_button_get_value_as_int(OpaquePointer(width)))
        }
        gtk_button_set_icon_name(cast(suspend), "media-playback-pause-symbolic")
        WindowHeader.name(suspend, tr("Suspend: {queue}").filled(["queue": name]))
        connect(suspend, "toggled") { [weak self] in
            let isSuspended = gtk_toggle_button_get_active(cast(suspend)) != 0
            guard queue.isSuspended != isSuspended || self?.stepping != nil else { return }
            // Whoever has it go on waits for no step.
            self?.stepping?.cancel()
            queue.isSuspended = isSuspended
            self?.showStep()
            onSuspend()
        }
        for child in [width, cast(suspend)].compactMap({ $0 }) {
            gtk_widget_set_valign(child, GTK_ALIGN_START)
            gtk_widget_set_margin_top(child, 4)
            // In a narrow window the bars get the room.
            gtk_box_append(cast(widget), child == width ? WindowHeader.ifThereIsRoom(child) : child)
        }
    }

    /// Says how things stand.
    func update(_ lane: Timeline.Lane) {
        // During a step it goes on for a moment, and is meant to be suspended.
        let isSuspended = queue.isSuspended || stepping != nil
        showStep()
        if let suspend, isSuspended != (gtk_toggle_button_get_active(cast(suspend)) != 0) {
            gtk_toggle_button_set_active(cast(suspend), isSuspended ? 1 : 0)
        }
        let figures = [
            "running": lane.runningCount.grouped, "waiting": lane.waitingCount.grouped,
            "ready": lane.readyCount.grouped,
        ]
        let text =
            isSuspended
            ? tr("{waiting} waiting, {ready} of them ready").filled(figures)
            : tr("{running} running, {waiting} waiting").filled(figures)
        guard text != shown, let state else { return }
        shown = text
        gtk_label_set_text(OpaquePointer(state), text)
    }
}
