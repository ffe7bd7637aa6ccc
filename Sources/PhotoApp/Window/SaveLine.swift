import CGtk
import GtkSupport

/// A job: what it does, how far it is, and buttons that pause and cancel it.
final class SaveLine {
    let job: any SaveUnderWay
    let widget = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 12)
    private let bar = gtk_progress_bar_new()
    private let percentage = gtk_label_new(nil)
    /// Ends the pause of the window's photos, for a job that waits for that.
    private let resume = gtk_button_new_from_icon_name("media-playback-start-symbolic")
    private let pause: PhotosPause
    private var shown = ""

    /// - Parameters:
    ///   - pause: The pause of the window's photos.
    ///   - onLeave: Gives the keyboard to others, where it was at the button that cancels: that answers once.
    init(_ job: any SaveUnderWay, _ text: String, _ pause: PhotosPause, onLeave: @escaping () -> Void) {
        (self.job, self.pause) = (job, pause)
        guard let widget, let bar, let resume, let label = gtk_label_new(text),
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
        connect(cancel, "clicked") {
            // What is being written at this moment may still be finished.
            passFocus(from: cancel, onLeave)
            gtk_widget_set_sensitive(cancel, 0)
            job.cancel()
        }
        Self.shape(cancel, tr("Cancel: {what}").filled(["what": text]))
        Self.shape(resume, tr("Resume: {what}").filled(["what": text]))
        connect(resume, "clicked") { pause.end() }
        gtk_widget_set_visible(resume, 0)
        let ownPause = (job as? any PausableSave).flatMap { makePause(of: $0, text) }
        for child in [parts, resume, ownPause, cancel].compactMap({ $0 }) { gtk_box_append(cast(widget), child) }
        Self.place(widget)
    }

    private func makePause(of job: any PausableSave, _ text: String) -> Widget? {
        guard let button = gtk_toggle_button_new() else { return nil }
        func show(_ isPaused: Bool) {
            gtk_button_set_icon_name(
                cast(button), isPaused ? "media-playback-start-symbolic" : "media-playback-pause-symbolic")
            let name = isPaused ? tr("Resume: {what}") : tr("Pause: {what}")
            Self.shape(button, name.filled(["what": text]))
        }
        connect(button, "toggled") { [unowned self] in
            job.isPaused = gtk_toggle_button_get_active(cast(button)) != 0
            show(job.isPaused)
            update()
        }
        show(false)
        return button
    }

    /// Gives a button of a line its form and name.
    static func shape(_ button: Widget, _ name: String) {
        for style in ["flat", "circular"] { gtk_widget_add_css_class(button, style) }
        gtk_widget_set_valign(button, GTK_ALIGN_CENTER)
        WindowHeader.name(button, name)
    }

    /// Gives a line its margins.
    static func place(_ widget: Widget) {
        for set in [gtk_widget_set_margin_start, gtk_widget_set_margin_end] { set(widget, 12) }
        for set in [gtk_widget_set_margin_top, gtk_widget_set_margin_bottom] { set(widget, 4) }
    }

    /// Says how far the job is.
    func update() {
        // One that has no pause of its own waits with the photos.
        let isHeld = !(job is any PausableSave) && pause.isOn()
        let isPaused = (job as? any PausableSave)?.isPaused ?? isHeld
        gtk_widget_set_visible(resume, isHeld ? 1 : 0)
        let progress = job.progress
        if let progress {
            gtk_progress_bar_set_fraction(bar.map { OpaquePointer($0) }, progress)
        } else if !isPaused {
            gtk_progress_bar_pulse(bar.map { OpaquePointer($0) })
        }
        let part = progress.map { tr("{percentage} %").filled(["percentage": Int($0 * 100).grouped]) }
        let wait = isPaused ? tr("Paused") : job.isWaitingForNetwork ? tr("Waiting for the network") : nil
        let text = [wait, part].compactMap(\.self).joined(separator: " · ")
        guard text != shown, let percentage else { return }
        shown = text
        gtk_label_set_text(OpaquePointer(percentage), text)
    }
}
