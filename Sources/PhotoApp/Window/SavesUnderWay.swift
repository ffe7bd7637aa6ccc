import CGtk
import GtkSupport
import PhotoBrowser

/// The photos that are being saved: shows how far each job is, lets people cancel it, and keeps the program running until all
/// are over, also without a window.
final class SavesUnderWay {
    /// A line for each job; nothing is seen where there are none.
    private let widget = gtk_revealer_new()
    private let application: OpaquePointer
    private let box = gtk_box_new(GTK_ORIENTATION_VERTICAL, 0)
    private var lines: [SaveLine] = []
    private var frames = 0
    /// The most that the lines take of the window's height; others are scrolled to.
    private static let mostHeight: Int32 = 120

    init(_ application: OpaquePointer) {
        self.application = application
        guard let scrolled = gtk_scrolled_window_new(), let box, let widget else { return }
        gtk_scrolled_window_set_policy(OpaquePointer(scrolled), GTK_POLICY_NEVER, GTK_POLICY_AUTOMATIC)
        gtk_scrolled_window_set_propagate_natural_height(OpaquePointer(scrolled), 1)
        gtk_scrolled_window_set_max_content_height(OpaquePointer(scrolled), Self.mostHeight)
        gtk_scrolled_window_set_child(OpaquePointer(scrolled), box)
        gtk_widget_add_css_class(scrolled, "saves")
        gtk_revealer_set_transition_type(OpaquePointer(widget), GTK_REVEALER_TRANSITION_TYPE_SLIDE_UP)
        gtk_revealer_set_child(OpaquePointer(widget), scrolled)
        // Closed, it takes no room, and is no part of what screen readers see.
        gtk_widget_set_visible(widget, 0)
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

    /// How many jobs there are.
    var count: Int { lines.count }

    /// Starts a job, and shows it until it is over.
    ///
    /// - Parameter text: What is said of it.
    func begin(_ job: SaveJob, _ text: String) {
        g_application_hold(cast(application))
        let line = SaveLine(job, text)
        lines.append(line)
        if let part = line.widget { gtk_box_append(cast(box), part) }
        if lines.count == 1, let widget { open(widget) }
        job.start()
    }

    /// Shows a job no more, because it is over.
    ///
    /// - Parameter isClosed: Whether the window's widgets are gone.
    func end(_ job: SaveJob, isClosed: Bool) {
        guard let place = lines.firstIndex(where: { $0.job === job }) else { return }
        let line = lines.remove(at: place)
        if !isClosed {
            if let part = line.widget { gtk_box_remove(cast(box), part) }
            if lines.isEmpty, let widget {
                gtk_revealer_set_reveal_child(OpaquePointer(widget), 0)
                gtk_widget_set_visible(widget, 0)
            }
        }
        g_application_release(cast(application))
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

/// A job: what it does, how far it is, and a button that cancels it.
private final class SaveLine {
    let job: SaveJob
    let widget = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 12)
    private let bar = gtk_progress_bar_new()
    private let percentage = gtk_label_new(nil)
    private var shown: Int?

    init(_ job: SaveJob, _ text: String) {
        self.job = job
        guard let widget, let bar, let label = gtk_label_new(text),
            let cancel = gtk_button_new_from_icon_name("process-stop-symbolic"),
            let texts = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 12),
            let parts = gtk_box_new(GTK_ORIENTATION_VERTICAL, 4)
        else { return }
        gtk_label_set_xalign(OpaquePointer(label), 0)
        gtk_label_set_ellipsize(OpaquePointer(label), PANGO_ELLIPSIZE_END)
        gtk_widget_set_hexpand(label, 1)
        for style in ["caption", "numeric"] { gtk_widget_add_css_class(percentage, style) }
        for child in [label, percentage] { gtk_box_append(cast(texts), child) }
        for child in [texts, bar] { gtk_box_append(cast(parts), child) }
        cgtk_set_accessible_label(bar, text)
        gtk_progress_bar_set_pulse_step(OpaquePointer(bar), 0.05)
        gtk_widget_set_valign(parts, GTK_ALIGN_CENTER)
        for style in ["flat", "circular"] { gtk_widget_add_css_class(cancel, style) }
        gtk_widget_set_valign(cancel, GTK_ALIGN_CENTER)
        WindowHeader.name(cancel, tr("Cancel: {what}").filled(["what": text]))
        connect(cancel, "clicked") {
            // What is being written at this moment may still be finished.
            gtk_widget_set_sensitive(cancel, 0)
            job.cancel()
        }
        for child in [parts, cancel] { gtk_box_append(cast(widget), child) }
        for set in [gtk_widget_set_margin_start, gtk_widget_set_margin_end] { set(widget, 12) }
        for set in [gtk_widget_set_margin_top, gtk_widget_set_margin_bottom] { set(widget, 4) }
    }

    /// Says how far the job is.
    func update() {
        guard let progress = job.progress else {
            gtk_progress_bar_pulse(bar.map { OpaquePointer($0) })
            return
        }
        let now = Int(progress * 100)
        guard now != shown, let percentage else { return }
        shown = now
        gtk_progress_bar_set_fraction(bar.map { OpaquePointer($0) }, progress)
        gtk_label_set_text(OpaquePointer(percentage), tr("{percentage} %").filled(["percentage": now.grouped]))
    }
}
