public import CGtk

/// Has a view lay out its rows now, if it has to; one that is not on screen is left as it is.
public func layOut(_ view: UnsafeMutablePointer<GtkWidget>) {
    guard gtk_widget_get_mapped(view) != 0 else { return }
    var place = GtkAllocation()
    gtk_widget_get_allocation(view, &place)
    gtk_widget_measure(view, GTK_ORIENTATION_HORIZONTAL, -1, nil, nil, nil, nil)
    gtk_widget_measure(view, GTK_ORIENTATION_VERTICAL, place.width, nil, nil, nil, nil)
    gtk_widget_size_allocate(view, &place, -1)
}

/// Has a list or grid view lay out what it has to each time before it looks which row a new position is.
///
/// Until GTK 4.10 the view looks it up in the heights of its rows, and those of rows that it has just made or given up
/// are wrong until the next layout. So a second step within a frame, such as two turns of a wheel or a jump and a search
/// that brings other rows, would end at a wrong row or, in a grid, with a warning.
///
/// - Parameters:
///   - view: The view.
///   - adjustment: The vertical one of the scrolled window that the view will be in, and is not in yet: the view must
///     hear of a new position later than this does.
public func layOutBeforeScrolling(
    _ view: UnsafeMutablePointer<GtkWidget>, by adjustment: UnsafeMutablePointer<GtkAdjustment>
) {
    var isLaidOut = false
    // The adjustment goes with the view's scrolled window, which keeps the view.
    connect(adjustment, "value-changed") {
        guard !isLaidOut, isListening(view, to: adjustment) else {
            isLaidOut = false
            return
        }
        let value = gtk_adjustment_get_value(adjustment)
        layOut(view)
        guard gtk_adjustment_get_value(adjustment) != value else { return }
        // The layout went back to the position that the view knew. Such a signal does not recurse: it begins anew for
        // all who listen, with the value that is there then.
        isLaidOut = true
        gtk_adjustment_set_value(adjustment, value)
    }
}

/// Whether a view wants to hear of positions; it does not while it sets one itself, in its layout.
private func isListening(
    _ view: UnsafeMutablePointer<GtkWidget>, to adjustment: UnsafeMutablePointer<GtkAdjustment>
) -> Bool {
    let signal = g_signal_lookup("value-changed", gtk_adjustment_get_type())
    let mask = G_SIGNAL_MATCH_ID.rawValue | G_SIGNAL_MATCH_DATA.rawValue | G_SIGNAL_MATCH_UNBLOCKED.rawValue
    return g_signal_handler_find(adjustment, GSignalMatchType(mask), signal, 0, nil, nil, view) != 0
}
