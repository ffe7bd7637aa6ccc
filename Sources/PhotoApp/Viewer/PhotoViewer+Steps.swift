import CGtk
import GtkSupport
import PhotoBrowser

extension PhotoViewer {
    /// Goes to the first photo, or to the last.
    func go(toLast: Bool) {
        guard let list, let photo, let row = list.row(of: photo) else { return }
        let target = toLast ? list.count - 1 : 0
        if target != row { step(by: target - row) }
    }

    /// Has two clicks at the picture show its actual size around the pointer, or all of it again.
    func zoomByDoubleClick(_ view: Widget) {
        guard let click = gtk_gesture_click_new() else { return }
        connect(click, "pressed") { [weak self] (presses: Int32, x: Double, y: Double) in
            guard let self, presses == 2, photoCanvas.divider(near: x) == nil else { return }
            photoCanvas.zoom.switchActualSize(around: Zoom.Point(x: x, y: y))
        }
        gtk_widget_add_controller(view, click)
    }
}
