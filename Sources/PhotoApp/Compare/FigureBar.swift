import CGtk
import GtkSupport

/// A thin bar that is filled by a share, so that one sees at a glance which of several is how much.
final class FigureBar {
    var widget: Widget? { canvas?.widget }
    /// From 0 to 1.
    var share = 0.0 {
        didSet { if share != oldValue { canvas?.redraw() } }
    }

    private static let height: Int32 = 4
    private var canvas: Canvas?

    init() {
        canvas = Canvas(role: GTK_ACCESSIBLE_ROLE_PRESENTATION) { [weak self] snapshot, size in
            guard let self else { return }
            let colors = TimelineColors()
            let (width, height) = (Double(size.width), Double(size.height))
            fill(snapshot, graphene_rect_t(x: 0, y: 0, width: width, height: height), colors.background)
            // Little is more than nothing.
            let filled = share > 0 ? max(2, width * min(1, share)) : 0
            fill(snapshot, graphene_rect_t(x: 0, y: 0, width: filled, height: height), colors.done)
        }
        gtk_widget_set_size_request(canvas?.widget, -1, Self.height)
    }
}
