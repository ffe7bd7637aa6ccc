import CGtk
import GtkSupport

/// Lays out the children of a widget as a ``LookGrid`` says.
enum LookGridLayout {
    /// The grids, by the widgets that they are asked for.
    private static var grids: [Widget: (Int) -> LookGrid?] = [:]

    /// Has a widget laid out so for as long as it lives.
    ///
    /// - Parameter grid: Asked for the grid of a width; nil where there are no children.
    static func apply(to widget: Widget, _ grid: @escaping (Int) -> LookGrid?) {
        grids[widget] = grid
        connect(widget, "destroy") { grids[widget] = nil }
        gtk_widget_set_layout_manager(
            widget,
            gtk_custom_layout_new(
                { _ in GTK_SIZE_REQUEST_HEIGHT_FOR_WIDTH },
                { widget, orientation, forSize, minimum, natural, _, _ in
                    let isHeight = orientation == GTK_ORIENTATION_VERTICAL
                    let grid = widget.flatMap { LookGridLayout.grids[$0] }
                    let height = forSize > 0 ? grid?(Int(forSize))?.totalHeight : nil
                    minimum?.pointee = isHeight ? Int32(clamping: height ?? 1) : Int32(2 * LookGrid.leastWidth)
                    natural?.pointee = minimum?.pointee ?? 1
                },
                { widget, width, _, _ in
                    guard let widget, let grid = LookGridLayout.grids[widget]?(Int(width)) else { return }
                    var index = 0
                    var child = gtk_widget_get_first_child(widget)
                    while let next = child {
                        let (x, y) = grid.place(of: index)
                        var place = GtkAllocation(
                            x: Int32(x), y: Int32(y), width: Int32(grid.width), height: Int32(grid.height))
                        // GTK wants to have asked before.
                        gtk_widget_measure(next, GTK_ORIENTATION_HORIZONTAL, -1, nil, nil, nil, nil)
                        gtk_widget_measure(next, GTK_ORIENTATION_VERTICAL, place.width, nil, nil, nil, nil)
                        gtk_widget_size_allocate(next, &place, -1)
                        index += 1
                        child = gtk_widget_get_next_sibling(next)
                    }
                }))
    }
}
