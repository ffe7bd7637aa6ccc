public import CGtk

/// A widget that is drawn by a closure, with what GTK's own widgets are drawn with.
@MainActor public final class Canvas {
    /// The widget.
    public let widget: UnsafeMutablePointer<GtkWidget>?

    private let drawing: Drawing

    /// A widget without a size of its own.
    ///
    /// - Parameters:
    ///   - role: What a screen reader takes it for.
    ///   - draw: Called with the snapshot and the size in pixels of the window, whenever the widget has to be drawn.
    public init(role: GtkAccessibleRole, draw: @escaping (_ snapshot: OpaquePointer, _ size: graphene_size_t) -> Void) {
        drawing = Drawing(draw)
        widget = cast(OpaquePointer(cgtk_new_canvas(CanvasType.canvas, role)))
        guard let widget else { return }
        // The widget may outlive this object; the closure stays for as long as the widget.
        g_object_set_data_full(cast(widget), "drawing", Unmanaged.passRetained(drawing).toOpaque()) { drawing in
            if let drawing { Unmanaged<Drawing>.fromOpaque(drawing).release() }
        }
    }

    /// Has the widget drawn again with the next frame.
    public func redraw() {
        gtk_widget_queue_draw(widget)
    }
}

private final class Drawing {
    let draw: (OpaquePointer, graphene_size_t) -> Void

    init(_ draw: @escaping (OpaquePointer, graphene_size_t) -> Void) {
        self.draw = draw
    }
}

/// The class, registered with GObject when it is first needed.
private enum CanvasType {
    static let canvas = g_type_register_static_simple(
        gtk_widget_get_type(), "ClassicPhotosCanvas", guint(MemoryLayout<GtkWidgetClass>.size),
        { type, _ in
            let table = type?.assumingMemoryBound(to: GtkWidgetClass.self)
            table?.pointee.snapshot = { widget, snapshot in
                guard let widget, let snapshot, let data = g_object_get_data(cast(widget), "drawing") else { return }
                let size = graphene_size_t(
                    width: Float(gtk_widget_get_width(widget)), height: Float(gtk_widget_get_height(widget)))
                Unmanaged<Drawing>.fromOpaque(data).takeUnretainedValue().draw(snapshot, size)
            }
        }, guint(MemoryLayout<GtkWidget>.size), nil, GTypeFlags(0))
}
