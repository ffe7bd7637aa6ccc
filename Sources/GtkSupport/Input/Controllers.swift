public import CGtk

/// The controllers of a type that a widget has; valid as long as the widget keeps them.
@MainActor public func controllers(_ type: GType, of widget: UnsafeMutablePointer<GtkWidget>) -> [OpaquePointer] {
    guard let all = gtk_widget_observe_controllers(widget) else { return [] }
    defer { g_object_unref(UnsafeMutableRawPointer(all)) }
    return (0..<g_list_model_get_n_items(all)).compactMap { index in
        guard let item = g_list_model_get_item(all, index) else { return nil }
        // The widget keeps it.
        g_object_unref(item)
        return g_type_is_a(cgtk_instance_type(item), type) != 0 ? OpaquePointer(item) : nil
    }
}
