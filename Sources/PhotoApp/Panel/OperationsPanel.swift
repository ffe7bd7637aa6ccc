import CGtk
import Foundation
import GtkSupport
import Operations
import PhotoBrowser
import PhotoPipeline

/// The live timeline of the pipeline's queues. While it is closed nothing is recorded, and nothing drawn.
final class OperationsPanel {
    let widget = gtk_revealer_new()
    /// Called when another strategy is chosen.
    var onStrategy: (LoadingStrategy) -> Void = { _ in }
    /// Called when a queue was suspended, or goes on.
    var onSuspend: () -> Void = {}
    /// Called when the trace is to be saved.
    var onSave: () -> Void = {}
    /// Called with the address of the photo whose operation is pointed at or chosen; nil for none.
    var onPoint: (String?) -> Void = { _ in }
    /// Called by the button that closes.
    var onClose: () -> Void = {}

    let queues: [(queue: OperationQueue, name: String, hasWidth: Bool, canStep: Bool)]
    let start: ContinuousClock.Instant
    let view = TimelineView()
    let live = gtk_toggle_button_new_with_label(tr("Live"))
    /// The address of the photo whose bar was clicked.
    var chosen: String?
    private(set) var controls: [LaneControls] = []
    private let mainThreadName = gtk_label_new(tr("Main thread"))
    private let strategies = [LoadingStrategy.visible, .eager, .blocking]
    private var strategyChoice: Widget?
    /// What is scrolled to where there is no room for names and bars.
    private(set) var lanesScroll: Widget?
    let info = gtk_label_new(nil)
    /// What there is to say of what is pointed at; nil for nothing.
    var pointedText: () -> String? = { nil }
    private var recorder: TimelineRecorder?
    /// What was recorded; nil while the panel is closed. It may be read on any thread.
    private(set) var recorded: OperationTrace?
    /// How many of the last operations are recorded at least: a trace has some 2 kB for each.
    nonisolated static let recordedCount = 20_000
    private(set) var frames = 0

    /// - Parameter pending: The queues, which were made a moment ago: their time begins now.
    init(_ pending: PendingOperations) {
        start = .now
        // In the order of the stages.
        queues = pending.queues.map { queue in
            switch queue {
            // The client that runs the transfers decides which one is next.
            case pending.downloadQueue: (queue, tr("Download queue"), true, false)
            case pending.decodeQueue: (queue, tr("Decode queue"), true, true)
            case pending.filtrationQueue: (queue, tr("Image Filtration queue"), true, true)
            // One preview at a time is enough.
            case pending.previewQueue: (queue, tr("Preview queue"), false, false)
            // Its operations hold no threads, and any number of them may wait.
            default: (queue, tr("Memory queue"), false, false)
            }
        }
        guard let widget, let box = gtk_box_new(GTK_ORIENTATION_VERTICAL, 0),
            let queueBox = gtk_box_new(GTK_ORIENTATION_VERTICAL, 0),
            let lanes = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 12),
            let names = gtk_box_new(GTK_ORIENTATION_VERTICAL, 0), let canvas = view.canvas?.widget, let info
        else { return }
        gtk_widget_add_css_class(box, "panel")
        gtk_box_append(cast(names), makeMainThreadName())
        for (lane, entry) in queues.enumerated() {
            let control = LaneControls(
                entry.queue, name: entry.name, hasWidth: entry.hasWidth, canStep: entry.canStep
            ) { [weak self] in self?.onSuspend() }
            controls.append(control)
            control.onFold = { [weak self] isFolded in self?.fold(lane, isFolded) }
            // What one has no hand in is of less interest.
            control.isFolded = !entry.hasWidth
            gtk_box_append(cast(names), control.widget)
        }
        gtk_box_append(cast(names), makeAxisRoom())
        view.heightBeside = { [weak self] lane in
            guard let self else { return 0 }
            guard let lane else { return Double(gtk_widget_get_height(mainThreadName)) }
            return controls.indices.contains(lane) ? Double(gtk_widget_get_height(controls[lane].widget)) : 0
        }
        // How much of the time is seen at least, so that lanes and their names fit the narrowest window.
        gtk_widget_set_size_request(canvas, 110, -1)
        gtk_widget_set_hexpand(canvas, 1)
        gtk_widget_set_focusable(canvas, 1)
        gtk_widget_add_css_class(canvas, "timeline")
        cgtk_set_accessible_label(canvas, tr("Operations"))
        gtk_box_append(cast(lanes), names)
        gtk_box_append(cast(lanes), canvas)
        gtk_label_set_xalign(OpaquePointer(info), 0)
        gtk_label_set_ellipsize(OpaquePointer(info), PANGO_ELLIPSIZE_END)
        gtk_widget_add_css_class(info, "caption")
        gtk_widget_set_hexpand(info, 1)
        guard let below = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 6) else { return }
        gtk_box_append(cast(below), info)
        let states = [tr("waiting"), tr("running"), tr("done"), tr("cancelled"), tr("stall"), tr("failed")]
        if let legend = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 6) {
            for (state, name) in states.enumerated() { gtk_box_append(cast(legend), makeLegend(state, name)) }
            gtk_box_append(cast(below), WindowHeader.ifThereIsRoom(legend))
        }
        for child in [lanes, below] {
            gtk_widget_set_margin_start(child, 12)
            gtk_widget_set_margin_end(child, 12)
            gtk_widget_set_margin_bottom(child, 6)
        }
        gtk_box_append(cast(queueBox), lanes)
        gtk_box_append(cast(queueBox), below)
        gtk_box_append(cast(box), makeBar())
        // In a low window at least a lane is seen, and the others are scrolled to.
        guard let scrolled = Self.scrolledSideways(queueBox) else { return }
        lanesScroll = scrolled
        gtk_scrolled_window_set_policy(OpaquePointer(scrolled), GTK_POLICY_AUTOMATIC, GTK_POLICY_AUTOMATIC)
        gtk_scrolled_window_set_propagate_natural_height(OpaquePointer(scrolled), 1)
        gtk_scrolled_window_set_min_content_height(OpaquePointer(scrolled), Int32(TimelineView.lowHeight) + 36)
        gtk_box_append(cast(box), scrolled)
        gtk_revealer_set_transition_type(OpaquePointer(widget), GTK_REVEALER_TRANSITION_TYPE_SLIDE_UP)
        gtk_revealer_set_child(OpaquePointer(widget), box)
        addHands(canvas)
    }

    /// Whether it is open; it records from then on.
    var isOpen = false {
        didSet {
            guard isOpen != oldValue, let widget else { return }
            gtk_revealer_set_reveal_child(OpaquePointer(widget), isOpen ? 1 : 0)
            if isOpen { begin() } else { end() }
        }
    }

    /// Runs no operation by hand any more; all queues are as they are suspended by others.
    func endSteps() { for control in controls { control.endStep() } }

    private func begin() {
        recorder = TimelineRecorder(queues.map(\.queue), now: .now - start)
        recorded = OperationTrace(of: queues.map(\.queue), keeping: Self.recordedCount)
        view.mainThread = MainThread()
        view.end = nil
        LoopProbe.attach()
        LoopProbe.tell(self) { [weak self] from, to in
            if let self { view.mainThread.work(from: from - start, to: to - start) }
        }
        show(nil)
        onEachFrame(of: view.canvas?.widget) { [weak self] _ in
            guard let self, isOpen else { return false }
            frames += 1
            view.mainThread.draw(at: .now - start)
            // Twenty times a second is smooth enough for what moves slowly.
            if frames.isMultiple(of: 3) { update() }
            return true
        }
    }

    private func end() {
        recorder = nil
        recorded = nil
        view.timeline = Timeline(lanes: 0)
        view.mainThread = MainThread()
        LoopProbe.forget(self)
        chosen = nil
        show(nil)
    }

    func update() {
        guard let recorder else { return }
        let now = (ContinuousClock.now - start) / .seconds(1)
        let timeline = recorder.timeline
        let isLive = view.end == nil
        if isLive != (gtk_toggle_button_get_active(cast(live)) != 0) {
            gtk_toggle_button_set_active(cast(live), isLive ? 1 : 0)
        }
        // Where everything has left the picture, there is nothing to draw again.
        let last = max(timeline.lastEvent, view.mainThread.busy.last?.to ?? .zero)
        let isEmpty = timeline.isIdle && now - last / .seconds(1) > view.span + 1
        let before = view.timeline.lastEvent
        view.timeline = timeline
        view.now = now
        if isLive, !isEmpty { view.canvas?.redraw() }
        for (control, lane) in zip(controls, timeline.lanes) { control.update(lane) }
        if !timeline.isIdle || timeline.lastEvent != before { sayPointed() }
    }

    private func fold(_ lane: Int, _ isFolded: Bool) {
        if isFolded { view.folded.insert(lane) } else { view.folded.remove(lane) }
    }

    // MARK: Parts

    private func makeMainThreadName() -> Widget? {
        guard let label = mainThreadName else { return nil }
        gtk_label_set_xalign(OpaquePointer(label), 0)
        gtk_widget_add_css_class(label, "lane-name")
        gtk_widget_set_size_request(label, -1, Int32(TimelineView.lowHeight))
        return label
    }

    /// Below the names, as high as the axis, whose text is as large as this one.
    private func makeAxisRoom() -> Widget? {
        guard let label = gtk_label_new(" ") else { return nil }
        gtk_widget_add_css_class(label, "timeline")
        cgtk_hide_from_screen_readers(label)
        return label
    }

    private func makeBar() -> Widget? {
        guard let bar = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 6), let title = gtk_label_new(tr("Operations")),
            let live,
            let save = gtk_button_new_with_label(tr("Save Trace…")),
            let close = gtk_button_new_from_icon_name("window-close-symbolic")
        else { return nil }
        gtk_widget_add_css_class(title, "heading")
        gtk_box_append(cast(bar), WindowHeader.ifThereIsRoom(title))
        if let space = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 0) {
            gtk_widget_set_hexpand(space, 1)
            gtk_box_append(cast(bar), space)
        }
        gtk_box_append(cast(bar), makeStrategies())
        gtk_toggle_button_set_active(cast(live), 1)
        connect(live, "toggled") { [weak self] in
            guard let self else { return }
            let isOn = gtk_toggle_button_get_active(cast(live)) != 0
            guard isOn != (view.end == nil) else { return }
            view.end = isOn ? nil : view.now
            // What was looked at closely is over.
            if isOn, view.span < 1 { view.span = TimelineView.usualSpan }
        }
        connect(save, "clicked") { [weak self] in self?.onSave() }
        WindowHeader.name(close, tr("Close the operations"))
        connect(close, "clicked") { [weak self] in self?.onClose() }
        let compare: Widget? = gtk_button_new_with_label(tr("Compare"))
        gtk_actionable_set_action_name(compare.map { OpaquePointer($0) }, "win.compare")
        for button in [compare, live, save, close] { gtk_widget_add_css_class(button, "flat") }
        for button in [compare, live, save] { gtk_box_append(cast(bar), button) }
        guard let whole = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 6) else { return nil }
        gtk_box_append(cast(whole), Self.scrolledSideways(bar))
        gtk_box_append(cast(whole), close)
        for set in [gtk_widget_set_margin_start, gtk_widget_set_margin_end] { set(whole, 12) }
        for set in [gtk_widget_set_margin_top, gtk_widget_set_margin_bottom] { set(whole, 4) }
        return whole
    }

    /// What is scrolled in a narrow window, and does not keep the window wide while the panel is closed.
    private static func scrolledSideways(_ widget: Widget) -> Widget? {
        guard let scrolled = gtk_scrolled_window_new() else { return nil }
        gtk_scrolled_window_set_policy(OpaquePointer(scrolled), GTK_POLICY_AUTOMATIC, GTK_POLICY_NEVER)
        gtk_scrolled_window_set_child(OpaquePointer(scrolled), widget)
        gtk_widget_set_hexpand(scrolled, 1)
        return scrolled
    }

    private func makeLegend(_ state: Int, _ name: String) -> Widget? {
        guard let box = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 4), let label = gtk_label_new(name) else { return nil }
        let swatch = Canvas(role: GTK_ACCESSIBLE_ROLE_PRESENTATION) { TimelineColors().draw($0, $1, state: state) }
        gtk_widget_set_size_request(swatch.widget, 18, 12)
        gtk_widget_set_valign(swatch.widget, GTK_ALIGN_CENTER)
        gtk_widget_set_margin_start(box, 6)
        gtk_widget_add_css_class(label, "caption")
        gtk_box_append(cast(box), swatch.widget)
        gtk_box_append(cast(box), label)
        return box
    }

    private func makeStrategies() -> Widget? {
        let texts = [tr("Load what is visible"), tr("Load everything at once"), tr("Load on the main thread")]
        guard let list = gtk_string_list_new(nil) else { return nil }
        for (strategy, text) in zip(strategies, texts) {
            gtk_string_list_append(list, "\(strategy.rawValue) – \(text)")
        }
        guard let choice = gtk_drop_down_new(list, nil) else { return nil }
        WindowHeader.name(choice, tr("When photos are loaded"))
        connect(choice, "notify::selected") { [weak self] in
            let index = Int(gtk_drop_down_get_selected(OpaquePointer(choice)))
            if let self, strategies.indices.contains(index) { onStrategy(strategies[index]) }
        }
        strategyChoice = choice
        return choice
    }

    /// Says which strategy is chosen.
    func show(_ strategy: LoadingStrategy) {
        guard let place = strategies.firstIndex(of: strategy), let strategyChoice else { return }
        gtk_drop_down_set_selected(OpaquePointer(strategyChoice), guint(place))
    }
}
