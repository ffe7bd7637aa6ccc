import CGtk
import GtkSupport
import Operations

/// A queue's name, its width and whether it is suspended, beside its lane.
final class LaneControls {
    let widget = gtk_box_new(GTK_ORIENTATION_VERTICAL, 2)
    private let queue: OperationQueue
    private let state = gtk_label_new(nil)
    private let suspend = gtk_toggle_button_new()
    private var shown = ""

    init(_ queue: OperationQueue, name: String) {
        self.queue = queue
        guard let widget, let state, let suspend, let line = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 6),
            let title = gtk_label_new(name), let width = gtk_spin_button_new_with_range(1, 64, 1)
        else { return }
        gtk_widget_set_size_request(widget, 200, Int32(TimelineView.laneHeight))
        gtk_widget_set_vexpand(widget, 0)
        gtk_label_set_xalign(OpaquePointer(title), 0)
        gtk_widget_add_css_class(title, "lane-name")
        gtk_label_set_xalign(OpaquePointer(state), 0)
        gtk_widget_add_css_class(state, "caption")
        gtk_widget_add_css_class(state, "numeric")
        gtk_spin_button_set_value(OpaquePointer(width), Double(queue.maxConcurrentOperationCount))
        WindowHeader.name(width, tr("How many run side by side: {queue}").filled(["queue": name]))
        connect(width, "value-changed") {
            queue.maxConcurrentOperationCount = Int(gtk_spin_button_get_value_as_int(OpaquePointer(width)))
        }
        gtk_button_set_icon_name(cast(suspend), "media-playback-pause-symbolic")
        WindowHeader.name(suspend, tr("Suspend: {queue}").filled(["queue": name]))
        connect(suspend, "toggled") {
            let isSuspended = gtk_toggle_button_get_active(cast(suspend)) != 0
            if queue.isSuspended != isSuspended { queue.isSuspended = isSuspended }
        }
        gtk_box_append(cast(line), width)
        gtk_box_append(cast(line), suspend)
        for child in [title, state, line] { gtk_box_append(cast(widget), child) }
    }

    /// Says how things stand.
    func update(_ lane: Timeline.Lane) {
        let isSuspended = queue.isSuspended
        if isSuspended != (gtk_toggle_button_get_active(cast(suspend)) != 0) {
            gtk_toggle_button_set_active(cast(suspend), isSuspended ? 1 : 0)
        }
        let text = tr("{running} running, {waiting} waiting").filled([
            "running": lane.runningCount.grouped, "waiting": lane.waitingCount.grouped,
        ])
        guard text != shown, let state else { return }
        shown = text
        gtk_label_set_text(OpaquePointer(state), text)
    }
}
