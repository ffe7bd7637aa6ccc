import CGtk
import GtkSupport

/// What the pointer, fingers and keys do with the picture.
extension PhotoViewer {
    func addGestures(_ view: Widget) {
        if let motion = gtk_event_controller_motion_new() {
            connect(motion, "motion") { [weak self] (x: Double, y: Double) in
                guard let self else { return }
                pointer = Zoom.Point(x: x, y: y)
                let cursor = photoCanvas.divider(near: x) == nil ? nil : "col-resize"
                gtk_widget_set_cursor_from_name(view, cursor)
                showHeaderInFullscreen(y < 48)
            }
            gtk_widget_add_controller(view, motion)
        }
        if let scroll = gtk_event_controller_scroll_new(GTK_EVENT_CONTROLLER_SCROLL_VERTICAL) {
            connect(scroll, "scroll") { [weak self] (_: Double, y: Double) -> Bool in
                guard let self else { return false }
                photoCanvas.zoom.magnify(by: y < 0 ? 1.2 : 1 / 1.2, around: pointer)
                return true
            }
            gtk_widget_add_controller(view, scroll)
        }
        if let pinch = gtk_gesture_zoom_new() {
            var before = 1.0
            connect(pinch, "begin") { (_: SignalPointer) in before = 1 }
            connect(pinch, "scale-changed") { [weak self] (scale: Double) in
                guard let self, scale > 0 else { return }
                // Between the fingers; a touch screen has no pointer.
                var middle = Zoom.Point(x: 0, y: 0)
                let isThere =
                    gtk_gesture_is_active(pinch) != 0
                    && gtk_gesture_get_bounding_box_center(pinch, &middle.x, &middle.y) != 0
                photoCanvas.zoom.magnify(by: scale / before, around: isThere ? middle : pointer)
                before = scale
            }
            gtk_widget_add_controller(view, pinch)
        }
        if let drag = gtk_gesture_drag_new() {
            var before = Zoom.Point(x: 0, y: 0)
            var divider: Double?
            connect(drag, "drag-begin") { [weak self] (x: Double, _: Double) in
                before = Zoom.Point(x: 0, y: 0)
                divider = self?.photoCanvas.divider(near: x)
                gtk_widget_grab_focus(self?.photoCanvas.canvas?.widget)
            }
            connect(drag, "drag-update") { [weak self] (x: Double, y: Double) in
                if let divider {
                    self?.moveDivider(to: divider + x)
                } else {
                    self?.photoCanvas.zoom.pan(x: x - before.x, y: y - before.y)
                }
                before = Zoom.Point(x: x, y: y)
            }
            gtk_widget_add_controller(view, drag)
        }
        zoomByDoubleClick(view)
        for touchOnly in [false, true] {
            guard let press = touchOnly ? gtk_gesture_long_press_new() : gtk_gesture_click_new() else { continue }
            if touchOnly {
                gtk_gesture_single_set_touch_only(press, 1)
                connect(press, "pressed") { [weak self] (x: Double, y: Double) in self?.showMenu(x: x, y: y) }
            } else {
                gtk_gesture_single_set_button(press, guint(GDK_BUTTON_SECONDARY))
                connect(press, "pressed") { [weak self] (_: Int32, x: Double, y: Double) in
                    gtk_gesture_set_state(press, GTK_EVENT_SEQUENCE_CLAIMED)
                    self?.showMenu(x: x, y: y)
                }
            }
            gtk_widget_add_controller(view, press)
        }
    }

    func addKeys(_ view: Widget) {
        guard let keys = gtk_event_controller_key_new() else { return }
        connect(keys, "key-pressed") { [weak self] (key: UInt32, code: UInt32, state: SignalFlags) -> Bool in
            guard let self else { return false }
            let key = PressedKey(key, code: code)
            if state.hasControl {
                guard key.means(GDK_KEY_c), let photo else { return false }
                onCommand(.copy, photo)
                return true
            }
            return key.meanings.contains { self.press($0) }
        }
        connect(keys, "key-released") { [weak self] (key: UInt32, _: UInt32) in
            if Int32(bitPattern: key) == GDK_KEY_space { self?.photoCanvas.showsOriginal = false }
        }
        gtk_widget_add_controller(widget, keys)
        guard let focus = gtk_event_controller_focus_new() else { return }
        connect(focus, "leave") { [weak self] in self?.releaseKeys() }
        gtk_widget_add_controller(widget, focus)
    }

    /// Shows the photo with its look again: a key that is held may be released where nobody tells this view of it.
    func releaseKeys() { photoCanvas.showsOriginal = false }

    private func press(_ key: Int32) -> Bool {
        if sideBySide.isOpen { return pressInLooks(key) }
        let far = 80.0
        switch key {
        case GDK_KEY_plus, GDK_KEY_equal, GDK_KEY_KP_Add: photoCanvas.zoom.magnify(by: 1.25)
        case GDK_KEY_minus, GDK_KEY_KP_Subtract: photoCanvas.zoom.magnify(by: 0.8)
        case GDK_KEY_0, GDK_KEY_KP_0: photoCanvas.zoom.fit()
        case GDK_KEY_1, GDK_KEY_KP_1: photoCanvas.zoom.showActualSize()
        case GDK_KEY_space:
            photoCanvas.showsOriginal = true
            needOriginal()
        case GDK_KEY_c:
            gtk_toggle_button_set_active(
                cast(compare), gtk_toggle_button_get_active(cast(compare)) != 0 ? 0 : 1)
        case GDK_KEY_l: showLooks()
        case GDK_KEY_Page_Down, GDK_KEY_n: step(by: 1)
        case GDK_KEY_Page_Up, GDK_KEY_p: step(by: -1)
        case GDK_KEY_Escape where slideshow.isRunning: slideshow.end()
        case GDK_KEY_Escape where isFullscreen: onFullscreen(false)
        case GDK_KEY_Escape, GDK_KEY_BackSpace: onClose()
        case GDK_KEY_Menu: showMenu()
        case GDK_KEY_F10: showMenu()
        case GDK_KEY_Home, GDK_KEY_KP_Home, GDK_KEY_End, GDK_KEY_KP_End:
            // The divider has these of its own, too.
            guard gtk_widget_has_focus(divider) == 0 else { return false }
            go(toLast: key == GDK_KEY_End || key == GDK_KEY_KP_End)
        case GDK_KEY_Left, GDK_KEY_Right, GDK_KEY_Up, GDK_KEY_Down:
            // The divider has arrows of its own.
            guard gtk_widget_has_focus(divider) == 0 else { return false }
            if photoCanvas.zoom.chosenScale == nil {
                step(by: key == GDK_KEY_Right || key == GDK_KEY_Down ? 1 : -1)
            } else {
                photoCanvas.zoom.pan(
                    x: key == GDK_KEY_Left ? far : key == GDK_KEY_Right ? -far : 0,
                    y: key == GDK_KEY_Up ? far : key == GDK_KEY_Down ? -far : 0)
            }
        default: return false
        }
        return true
    }
}
