import CGtk
import GtkSupport

/// How rows look, beyond what the theme gives.
enum RowStyle {
    /// The size of a row's picture in pixels of the window.
    static let pictureWidth: Int32 = 96
    static let pictureHeight: Int32 = 72
    /// The longest side to ask pictures for: sharp on a screen of double density too.
    static let longestSide = 192

    private static let css = """
        .photo { border-radius: 8px; background: alpha(currentColor, 0.07); }
        .photo .placeholder { opacity: 0.35; }
        .photo-list > row { padding: 0; }
        .reason { color: @error_color; }
        """

    /// Makes the style known to the display.
    static func install() {
        guard let provider = gtk_css_provider_new(), let display = gdk_display_get_default() else { return }
        gtk_css_provider_load_from_data(provider, css, -1)
        gtk_style_context_add_provider_for_display(
            display, OpaquePointer(provider), guint(GTK_STYLE_PROVIDER_PRIORITY_APPLICATION))
        g_object_unref(provider)
    }
}
