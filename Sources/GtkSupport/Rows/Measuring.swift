package import CGtk

/// The least size that a widget can do with one way, and the size that it wants.
///
/// - Parameter forSize: How much it has the other way; -1 for as much as it wants.
package func measure(
    _ widget: UnsafeMutablePointer<GtkWidget>?, _ orientation: GtkOrientation, _ forSize: Int32
) -> (minimum: Int32, natural: Int32) {
    var (minimum, natural): (Int32, Int32) = (0, 0)
    gtk_widget_measure(widget, orientation, forSize, &minimum, &natural, nil, nil)
    return (minimum, natural)
}
