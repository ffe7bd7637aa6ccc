import CGtk
import GtkSupport

/// What GTK complained of in this process: its warnings, and calls that it refused.
@MainActor enum Complaints {
    private(set) static var all: [String] = []

    /// What GTK 4.8 says where a window is gone half a second after the pointer came into it: then it looks for a tip there. The window
    /// may be that of an earlier test.
    private static let ofTips = [
        "gdk_surface_get_device_position: assertion 'GDK_IS_SURFACE (surface)' failed",
        "_gtk_widget_find_at_coords: assertion 'GDK_IS_SURFACE (surface)' failed",
    ]

    /// Notes what is said from now on, and says it as before.
    static func listen() { _ = isListening }

    // GLib takes one such function in the life of a process.
    private static let isListening: Bool = {
        g_log_set_writer_func(
            { level, fields, count, _ in
                let mask = G_LOG_LEVEL_WARNING.rawValue | G_LOG_LEVEL_CRITICAL.rawValue
                // GTK complains on the thread that draws; others are not told of here.
                if level.rawValue & mask != 0, g_main_context_is_owner(nil) != 0,
                    let text = g_log_writer_format_fields(level, fields, count, 0)
                {
                    let line = String(cString: text)
                    MainActor.assumeIsolated { if !ofTips.contains(where: line.hasSuffix) { all.append(line) } }
                    g_free(text)
                }
                return g_log_writer_default(level, fields, count, nil)
            }, nil, nil)
        return true
    }()
}
