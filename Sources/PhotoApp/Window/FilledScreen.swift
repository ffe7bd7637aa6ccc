import CGtk
import GtkSupport

/// A window fills the screen, which does not go dark meanwhile.
final class FilledScreen {
    private let application: OpaquePointer
    private let window: Widget
    private let wasFullscreen: Bool
    /// What the session knows the request by; 0 where there is no session that could be asked.
    private let cookie: guint

    /// - Parameter reason: What the session tells people who ask why the screen stays on.
    init(_ application: OpaquePointer, _ window: Widget, reason: String) {
        self.application = application
        self.window = window
        wasFullscreen = gtk_window_is_fullscreen(cast(window)) != 0
        cookie = gtk_application_inhibit(cast(application), cast(window), GTK_APPLICATION_INHIBIT_IDLE, reason)
        gtk_window_fullscreen(cast(window))
    }

    /// Gives the screen back, and is called once.
    func end() {
        if cookie != 0 { gtk_application_uninhibit(cast(application), cookie) }
        if !wasFullscreen { gtk_window_unfullscreen(cast(window)) }
    }
}
