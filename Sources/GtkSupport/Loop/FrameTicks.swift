public import CGtk

/// Calls a closure before each frame while the widget is on screen, until it answers false or the widget is gone.
///
/// - Parameter body: Called with the time of the frame in microseconds, of a clock that only grows.
public func onEachFrame(of widget: UnsafeMutablePointer<GtkWidget>?, _ body: @escaping (Int) -> Bool) {
    let box = Unmanaged.passRetained(TickBox(body)).toOpaque()
    gtk_widget_add_tick_callback(
        widget,
        { _, clock, box in
            guard let box else { return 0 }
            let time = gdk_frame_clock_get_frame_time(clock)
            return Unmanaged<TickBox>.fromOpaque(box).takeUnretainedValue().body(Int(time)) ? 1 : 0
        }, box,
        { box in
            if let box { Unmanaged<TickBox>.fromOpaque(box).release() }
        })
}

private final class TickBox {
    let body: (Int) -> Bool

    init(_ body: @escaping (Int) -> Bool) {
        self.body = body
    }
}
