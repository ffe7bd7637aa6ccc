import CGtk
import GtkSupport

/// What is said below the lanes: the times of what is pointed at, or a hint while nothing is.
///
/// The hint has as many lines as it needs. It keeps their room while times are said: otherwise the lanes would move away from the pointer.
final class PanelHint {
    /// The widget, of one height in each width.
    let widget = gtk_box_new(GTK_ORIENTATION_VERTICAL, 0)
    private let stack = OpaquePointer(gtk_stack_new())
    private let hint = gtk_label_new(TimelineText.hint)
    private let times = gtk_label_new(nil)

    init() {
        guard let widget, let stack else { return }
        for (label, name) in [(hint, "hint"), (times, "times")] {
            gtk_label_set_xalign(OpaquePointer(label), 0)
            gtk_label_set_yalign(OpaquePointer(label), 0)
            gtk_widget_add_css_class(label, "caption")
            gtk_stack_add_named(stack, label, name)
        }
        gtk_label_set_wrap(OpaquePointer(hint), 1)
        gtk_label_set_ellipsize(OpaquePointer(times), PANGO_ELLIPSIZE_END)
        gtk_box_append(cast(widget), cast(stack))
        Self.giveWay(widget)
    }

    /// Says something; nil for the hint.
    func say(_ text: String?) {
        gtk_label_set_text(OpaquePointer(times), text ?? "")
        gtk_stack_set_visible_child(stack, text == nil ? hint : times)
    }

    /// Has a widget with one child take room that is there, and show nothing where that is not enough: in a low window lanes are worth more.
    private static func giveWay(_ widget: Widget) {
        gtk_widget_set_layout_manager(
            widget,
            gtk_custom_layout_new(
                { _ in GTK_SIZE_REQUEST_HEIGHT_FOR_WIDTH },
                { widget, orientation, forSize, minimum, natural, _, _ in
                    gtk_widget_measure(
                        gtk_widget_get_first_child(widget), orientation, forSize, minimum, natural, nil, nil)
                    if orientation == GTK_ORIENTATION_VERTICAL { minimum?.pointee = 0 }
                },
                { widget, width, height, _ in
                    let child = gtk_widget_get_first_child(widget)
                    var least: Int32 = 0
                    gtk_widget_measure(child, GTK_ORIENTATION_VERTICAL, width, &least, nil, nil, nil)
                    gtk_widget_set_child_visible(child, least <= height ? 1 : 0)
                    guard least <= height else { return }
                    var place = GtkAllocation(x: 0, y: 0, width: width, height: height)
                    gtk_widget_size_allocate(child, &place, -1)
                }))
    }
}
