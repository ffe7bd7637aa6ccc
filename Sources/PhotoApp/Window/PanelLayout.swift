import CGtk
import GtkSupport

/// Lays out two widgets below each other: the photos, and a panel that is as high as it wants to be where there is room.
///
/// A box would share what is missing among both, and photos, of which there are more than fit anyway, would take from the
/// panel its last lane.
enum PanelLayout {
    /// The height of the header and some photos: below it the panel gives way before they do, in pixels.
    private static let enoughForPhotos: Int32 = 220
    /// How much of them is to be seen at least beside what else stands there, in pixels.
    private static let someOfPhotos: Int32 = 100

    /// Has a widget with two children laid out so.
    static func apply(to widget: Widget?) {
        gtk_widget_set_layout_manager(
            widget,
            gtk_custom_layout_new(
                { _ in GTK_SIZE_REQUEST_HEIGHT_FOR_WIDTH },
                { widget, orientation, forSize, minimum, natural, _, _ in
                    let (top, bottom) = (gtk_widget_get_first_child(widget), gtk_widget_get_last_child(widget))
                    let isHeight = orientation == GTK_ORIENTATION_VERTICAL
                    let above = measure(top, orientation, isHeight ? forSize : -1)
                    let below = measure(bottom, orientation, isHeight ? forSize : -1)
                    minimum?.pointee =
                        isHeight ? above.minimum + below.minimum : max(above.minimum, below.minimum)
                    natural?.pointee =
                        isHeight ? above.natural + below.natural : max(above.natural, below.natural)
                },
                { widget, width, height, _ in
                    let (top, bottom) = (gtk_widget_get_first_child(widget), gtk_widget_get_last_child(widget))
                    let above = measure(top, GTK_ORIENTATION_VERTICAL, width)
                    let below = measure(bottom, GTK_ORIENTATION_VERTICAL, width)
                    let panel = PanelLayout.panelHeight(of: height, photos: above.minimum, panel: below)
                    for (child, y, part) in [(top, 0, height - panel), (bottom, height - panel, panel)] {
                        var place = GtkAllocation(x: 0, y: y, width: width, height: part)
                        gtk_widget_size_allocate(child, &place, -1)
                    }
                }))
    }

    /// How much of a height is the panel's.
    ///
    /// - Parameters:
    ///   - height: What there is for both.
    ///   - photos: The least that the photos can do with.
    ///   - panel: The least that the panel can do with, and what it wants.
    private static func panelHeight(
        of height: Int32, photos: Int32, panel: (minimum: Int32, natural: Int32)
    ) -> Int32 {
        min(panel.natural, max(panel.minimum, height - max(photos + someOfPhotos, enoughForPhotos)))
    }
}
