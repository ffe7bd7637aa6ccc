import CGtk
import GtkSupport

/// Lays out the children of a widget side by side and equally large, or below each other where the window is too narrow for
/// that.
enum CardsLayout {
    private static let gap: Int32 = 12
    /// The least width of a child beside others, in pixels.
    private static let leastWidth: Int32 = 250

    /// Has a widget with at least one child laid out so.
    static func apply(to widget: Widget?) {
        gtk_widget_set_layout_manager(
            widget,
            gtk_custom_layout_new(
                { _ in GTK_SIZE_REQUEST_HEIGHT_FOR_WIDTH },
                { widget, orientation, forSize, minimum, natural, _, _ in
                    let children = CardsLayout.children(of: widget)
                    if orientation == GTK_ORIENTATION_HORIZONTAL {
                        let widths = children.map { measure($0, orientation, -1) }
                        let gaps = CardsLayout.gap * Int32(children.count - 1)
                        minimum?.pointee = widths.map(\.minimum).max() ?? 0
                        natural?.pointee = widths.reduce(gaps) { $0 + $1.natural }
                    } else {
                        let places = CardsLayout.places(of: children, width: forSize < 0 ? Int32.max / 4 : forSize)
                        let height = places.map { $0.y + $0.height }.max() ?? 0
                        minimum?.pointee = height
                        natural?.pointee = height
                    }
                },
                { widget, width, height, _ in
                    let children = CardsLayout.children(of: widget)
                    for (child, place) in zip(children, CardsLayout.places(of: children, width: width)) {
                        var place = place
                        gtk_widget_size_allocate(child, &place, -1)
                    }
                }))
    }

    private static func children(of widget: Widget?) -> [Widget] {
        guard let first = gtk_widget_get_first_child(widget) else { return [] }
        return Array(sequence(first: first) { gtk_widget_get_next_sibling($0) })
    }

    private static func places(of children: [Widget], width: Int32) -> [GtkAllocation] {
        let count = Int32(children.count)
        let column = (width - gap * (count - 1)) / max(1, count)
        // Large text may need more.
        let needed = children.map { measure($0, GTK_ORIENTATION_HORIZONTAL, -1).minimum }.max() ?? 0
        guard column < max(leastWidth, needed) else {
            let height = children.map { measure($0, GTK_ORIENTATION_VERTICAL, column).natural }.max() ?? 0
            return (0..<count).map { GtkAllocation(x: $0 * (column + gap), y: 0, width: column, height: height) }
        }
        var y: Int32 = 0
        return children.map { child in
            let height = measure(child, GTK_ORIENTATION_VERTICAL, width).natural
            defer { y += height + gap }
            return GtkAllocation(x: 0, y: y, width: width, height: height)
        }
    }
}
