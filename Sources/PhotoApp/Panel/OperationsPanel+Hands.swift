import CGtk
import GtkSupport

extension OperationsPanel {
    /// Has the timeline answer the mouse and keys.
    func addHands(_ canvas: Widget) {
        if let motion = gtk_event_controller_motion_new() {
            connect(motion, "motion") { [weak self] (x: Double, y: Double) in self?.point(x, y) }
            connect(motion, "leave") { [weak self] in self?.show(nil) }
            gtk_widget_add_controller(canvas, motion)
        }
        if let scroll = gtk_event_controller_scroll_new(GTK_EVENT_CONTROLLER_SCROLL_BOTH_AXES) {
            connect(scroll, "scroll") { [weak self] (x: Double, y: Double) -> Bool in
                self?.view.move(by: -(x == 0 ? y : x) * 0.1)
                return true
            }
            gtk_widget_add_controller(canvas, scroll)
        }
        addDragging(canvas)
        if let click = gtk_gesture_click_new() {
            connect(click, "released") { [weak self] (presses: Int32, x: Double, y: Double) in
                guard let self else { return }
                let bar = view.bar(x: x, y: y)
                if presses == 2, let bar { view.zoom(to: bar) }
                if presses == 1 { chosen = bar?.address }
                show(bar)
            }
            gtk_widget_add_controller(canvas, click)
        }
        guard let keys = gtk_event_controller_key_new() else { return }
        connect(keys, "key-pressed") { [weak self] (key: UInt32, code: UInt32) -> Bool in
            guard let self else { return false }
            return PressedKey(key, code: code).meanings.contains { self.press($0) }
        }
        gtk_widget_add_controller(canvas, keys)
    }

    private func press(_ key: Int32) -> Bool {
        switch key {
        case GDK_KEY_Left: view.move(by: 0.1)
        case GDK_KEY_Right: view.move(by: -0.1)
        case GDK_KEY_plus, GDK_KEY_equal, GDK_KEY_KP_Add: view.zoom(by: 0.7)
        case GDK_KEY_minus, GDK_KEY_KP_Subtract: view.zoom(by: 1.4)
        case GDK_KEY_End: view.end = nil
        default: return false
        }
        return true
    }

    private func addDragging(_ canvas: Widget) {
        guard let drag = gtk_gesture_drag_new() else { return }
        var before = 0.0
        connect(drag, "drag-begin") { (_: Double, _: Double) in
            before = 0
            gtk_widget_grab_focus(canvas)
        }
        connect(drag, "drag-update") { [weak self] (x: Double, _: Double) in
            // A click that trembles moves nothing.
            guard before != 0 || abs(x) > 4 else { return }
            self?.view.move(by: (x - before) / Double(max(1, gtk_widget_get_width(canvas))))
            before = x
        }
        gtk_widget_add_controller(canvas, drag)
    }

    private func point(_ x: Double, _ y: Double) {
        guard let busy = view.busy(x: x, y: y) else { return show(view.bar(x: x, y: y)) }
        show(nil)
        say { TimelineText.text(of: busy) }
    }

    /// Says what an operation is, and has those of the same photo stand out, and its row; without one, those of the photo that was
    /// chosen.
    func show(_ bar: Timeline.Bar?) {
        let address = bar?.address ?? chosen
        view.address = address
        onPoint(address)
        var present = bar
        say { [view] in
            present = present.map(view.timeline.present)
            return present.flatMap { TimelineText.text(of: $0, now: .seconds(view.now)) }
        }
    }

    /// Says how long a photo's stages took, and has them stand out: somebody points at it.
    ///
    /// - Parameter photo: Its name, and its address if it has one; nil where nobody points at one any more.
    func point(at photo: (name: String, address: String?)?) {
        guard isOpen else { return }
        view.address = photo?.address ?? chosen
        say { [view] in
            guard let photo, let address = photo.address else { return nil }
            return TimelineText.text(of: photo.name, at: address, in: view.timeline, now: .seconds(view.now))
        }
    }

    /// Says something for as long as it is pointed at: the operations go on meanwhile.
    ///
    /// - Parameter text: nil where there is nothing to say.
    private func say(_ text: @escaping () -> String?) {
        pointedText = text
        sayPointed()
    }

    /// Says what there is to say now of what is pointed at.
    func sayPointed() {
        guard let info = info.map({ OpaquePointer($0) }) else { return }
        let text = pointedText() ?? TimelineText.hint
        if text != String(cString: gtk_label_get_text(info)) { gtk_label_set_text(info, text) }
    }
}
