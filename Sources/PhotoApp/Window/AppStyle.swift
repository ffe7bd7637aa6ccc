import CGtk
import GtkSupport
import PhotoPipeline

/// How the program looks, beyond what the theme gives; colours are the theme's, so that dark is dark.
enum AppStyle {
    /// How large pictures of rows are to be, in pixels of the screen: they fill a card, also where they are long and narrow.
    ///
    /// - Parameters:
    ///   - size: How large they are shown.
    ///   - scale: How many of these pixels a pixel of the window has each way.
    static func rowSize(_ size: ThumbnailSize, scale: Int) -> Resize {
        .fill(width: Int(size.card.width) * max(1, scale), height: Int(size.card.height) * max(1, scale))
    }

    /// The side of a square that has as many pixels as the picture of a row, but for panoramas of more than 4 : 1.
    ///
    /// - Parameters:
    ///   - size: How large it is shown.
    ///   - scale: How many pixels of the screen a pixel of the window has each way.
    static func rowSide(_ size: ThumbnailSize, scale: Int) -> Int { Int(size.card.height) * 2 * max(1, scale) }

    private static let css = """
        .photo { border-radius: 8px; background: alpha(currentColor, 0.07); }
        .photo .placeholder { opacity: 0.35; }
        .photo .on-photo { margin: 6px; }
        .photo spinner.on-photo { color: white; -gtk-icon-shadow: 0 0 3px black; min-width: 20px; min-height: 20px; }
        .photo button.on-photo { background: alpha(@window_bg_color, 0.85); }
        .photo-row { margin: 6px 12px; }
        .photo-card { margin: 6px; }
        .photo-list > row { padding: 0; }
        .photo-grid { padding: 6px; }
        .photo-grid > child { padding: 0; border-radius: 12px; }
        .reason { color: @error_color; }
        .look-choice { padding: 4px; border-radius: 10px; }
        .look-choice label { font-size: smaller; margin-top: 3px; }
        .look-choice picture { border-radius: 6px; }
        .looks-bar { padding: 8px; }
        .look-sample { padding: 5px; border-radius: 10px; border: 1px solid transparent; font-weight: normal; color: white; }
        .look-sample label { font-size: smaller; margin-top: 3px; }
        .look-sample:checked { box-shadow: inset 0 0 0 2px @accent_color; font-weight: bold; }
        .look-editor { padding: 18px; }
        .look-editor > entry, .look-editor > scrolledwindow { margin-top: 6px; }
        .look-editor textview { padding: 9px; background: none; }
        .look-intensity > value { margin-left: 16px; }
        .viewer-failure image { opacity: 0.7; }
        .viewer { background: #1c1c1f; color: white; }
        .viewer-caption { padding: 4px 12px; border-radius: 999px; background: rgba(0, 0, 0, 0.6); color: white;
            margin: 12px; }
        .saves { border-top: 1px solid @borders; }
        .network { border-top: 1px solid @borders; padding: 6px 12px 0; }
        .tour { margin: 6px 12px 12px; padding: 6px 12px 12px; }
        .panel { border-top: 1px solid @borders; }
        .lane-name { font-weight: bold; }
        .fold { min-width: 20px; min-height: 20px; padding: 0; }
        .marked { box-shadow: inset 0 0 0 2px @accent_color; }
        .strategy { padding: 12px; }
        .strategy.running { box-shadow: inset 0 0 0 2px @accent_color; }
        .compared-cards { border-top: 1px solid @borders; }
        .timeline { font-size: smaller; font-feature-settings: "tnum"; }
        """

    /// Makes the style and the icons known to the display.
    static func install() {
        guard let provider = gtk_css_provider_new(), let display = gdk_display_get_default() else { return }
        gtk_css_provider_load_from_data(provider, css, -1)
        gtk_style_context_add_provider_for_display(
            display, OpaquePointer(provider), guint(GTK_STYLE_PROVIDER_PRIORITY_APPLICATION))
        g_object_unref(provider)
        if let folder = DataFiles.iconFolder {
            gtk_icon_theme_add_search_path(gtk_icon_theme_get_for_display(display), folder)
        }
    }
}
