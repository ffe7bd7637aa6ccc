import CGtk
import GtkSupport
import PhotoBrowser

/// Photos that are being written to files.
protocol SaveUnderWay: AnyObject {
    /// How much is done, from 0 to 1; nil before that is known.
    var progress: Double? { get }
    /// The files that it is to write as far as it knows by now, by name; no other one may write them meanwhile. Whoever names more of
    /// them later promises them, see ``PromisedFiles``.
    var promised: [String] { get }
    /// Whether it goes on when this machine has its network again.
    var isWaitingForNetwork: Bool { get }
    func start()
    func cancel()
}

extension SaveUnderWay {
    var isWaitingForNetwork: Bool { false }
}

/// One that may begin nothing more for a while.
protocol PausableSave: SaveUnderWay {
    var isPaused: Bool { get set }
}

extension SaveJob: SaveUnderWay {
    var promised: [String] { files.map(\.path) }
}

/// The photos that are being saved by a window: shows how far each job is, lets people pause and cancel it, and keeps the program running until
/// all are over, also without a window. Another window takes the lines over then. Below them stands what is said until it is dismissed.
final class SavesUnderWay {
    /// A line for each job; nothing is seen where there are none.
    private let widget = gtk_revealer_new()
    private let application: OpaquePointer
    private let box = gtk_box_new(GTK_ORIENTATION_VERTICAL, 0)
    private let scrolled = gtk_scrolled_window_new()
    /// The lines that can be scrolled, and below them notices, each as high as its text needs.
    private let parts = gtk_box_new(GTK_ORIENTATION_VERTICAL, 0)
    private var lines: [SaveLine] = []
    private var notices: [Notice] = []
    /// What has come of the last large one, which is one of these.
    private var end: Notice?
    private var frames = 0
    /// The pause of the window's photos.
    var pause = PhotosPause(isOn: { false }, end: {})
    /// Gives the keyboard to what is shown above, where it was in the line of a job that is cancelled.
    var onLeave = {}
    /// The most that the lines take of the window's height; others are scrolled to.
    private static let mostHeight: Int32 = 120

    init(_ application: OpaquePointer) {
        self.application = application
        guard let scrolled, let box, let parts, let widget else { return }
        gtk_scrolled_window_set_policy(OpaquePointer(scrolled), GTK_POLICY_NEVER, GTK_POLICY_AUTOMATIC)
        gtk_scrolled_window_set_propagate_natural_height(OpaquePointer(scrolled), 1)
        gtk_scrolled_window_set_max_content_height(OpaquePointer(scrolled), Self.mostHeight)
        gtk_scrolled_window_set_child(OpaquePointer(scrolled), box)
        gtk_widget_add_css_class(parts, "saves")
        gtk_box_append(cast(parts), scrolled)
        gtk_revealer_set_transition_type(OpaquePointer(widget), GTK_REVEALER_TRANSITION_TYPE_SLIDE_UP)
        gtk_revealer_set_child(OpaquePointer(widget), parts)
        // Closed, it takes no room, and is no part of what screen readers see; empty, the lines have a height all the same.
        for part in [widget, scrolled] { gtk_widget_set_visible(part, 0) }
    }

    /// What is shown, and below it the jobs.
    ///
    /// - Parameter card: What stands between them.
    func placed(below shown: Widget, and card: Widget?) -> Widget? {
        guard let whole = gtk_box_new(GTK_ORIENTATION_VERTICAL, 0) else { return nil }
        gtk_widget_set_vexpand(shown, 1)
        for part in [shown, card, widget] { gtk_box_append(cast(whole), part) }
        return whole
    }

    /// How many jobs of this window there are; not those that it shows for others.
    var count: Int { RunningSaves.count(begunBy: self) }

    /// Starts a job, and shows it until it is over.
    ///
    /// - Parameters:
    ///   - text: What is said of it.
    ///   - isOfWindow: Whether nobody wants what it makes when this window is closed. Default: false.
    func begin(_ job: any SaveUnderWay, _ text: String, isOfWindow: Bool = false) {
        g_application_hold(cast(application))
        RunningSaves.add(job, text, isOfWindow: isOfWindow, by: self)
        PromisedFiles.add(job.promised)
        show(makeLine(job, text, pause))
        job.start()
    }

    /// Shows the jobs whose windows are closed.
    func adopt() {
        for entry in RunningSaves.unseen {
            entry.shownBy = self
            // Behind a closed window nothing is paused.
            show(makeLine(entry.job, entry.text, PhotosPause(isOn: { false }, end: {})))
        }
    }

    private func makeLine(_ job: any SaveUnderWay, _ text: String, _ pause: PhotosPause) -> SaveLine {
        SaveLine(job, text, pause) { [weak self] in self?.onLeave() }
    }

    private func show(_ line: SaveLine) {
        lines.append(line)
        if let part = line.widget { gtk_box_append(cast(box), part) }
        gtk_widget_set_visible(scrolled, 1)
        if lines.count == 1, let widget { open(widget) }
    }

    /// Leaves the jobs to other windows, because this one is being closed. None stays paused: there may be nobody to resume it.
    func leave() {
        for case let job as any PausableSave in lines.map(\.job) { job.isPaused = false }
        lines = []
        RunningSaves.leave(self)
    }

    /// Has a job that this window has begun shown no more, because it is over.
    func end(_ job: any SaveUnderWay) {
        guard let entry = RunningSaves.remove(job) else { return }
        PromisedFiles.remove(job.promised)
        entry.shownBy?.hide(job)
        g_application_release(cast(application))
    }

    private func hide(_ job: any SaveUnderWay) {
        guard let place = lines.firstIndex(where: { $0.job === job }) else { return }
        if let part = lines.remove(at: place).widget { gtk_box_remove(cast(box), part) }
        closeIfEmpty()
    }

    /// Shows what has come of a job, in the place of what is shown of another one, until it is dismissed.
    func show(_ end: Notice) {
        if let before = self.end { remove(before) }
        self.end = end
        add(end)
    }

    /// Shows a notice below the others, until it is dismissed.
    func add(_ notice: Notice) {
        guard let part = notice.widget, let widget else { return }
        notice.onDismiss = { [unowned self, unowned notice] in remove(notice) }
        notices.append(notice)
        gtk_box_append(cast(parts), part)
        gtk_widget_set_visible(widget, 1)
        gtk_revealer_set_reveal_child(OpaquePointer(widget), 1)
    }

    /// Shows a notice no longer, unless it is dismissed already.
    func remove(_ notice: Notice) {
        guard let place = notices.firstIndex(where: { $0 === notice }) else { return }
        if let part = notices.remove(at: place).widget { gtk_box_remove(cast(parts), part) }
        closeIfEmpty()
    }

    private func closeIfEmpty() {
        // Empty, it has a height all the same.
        if lines.isEmpty { gtk_widget_set_visible(scrolled, 0) }
        guard lines.isEmpty, notices.isEmpty, let widget else { return }
        gtk_revealer_set_reveal_child(OpaquePointer(widget), 0)
        gtk_widget_set_visible(widget, 0)
    }

    private func open(_ widget: Widget) {
        gtk_widget_set_visible(widget, 1)
        gtk_revealer_set_reveal_child(OpaquePointer(widget), 1)
        onEachFrame(of: widget) { [weak self] _ in
            guard let self, !lines.isEmpty else { return false }
            frames += 1
            // Ten times a second is enough for what is read.
            if frames.isMultiple(of: 6) { for line in lines { line.update() } }
            return true
        }
    }
}
