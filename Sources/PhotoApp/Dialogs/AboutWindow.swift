import CGtk
import GtkSupport
import PhotoPipeline

/// The window that says what the program is.
enum AboutWindow {
    static func show(over window: Widget?) {
        guard let about = adw_about_window_new() else { return }
        let pointer = OpaquePointer(about)
        adw_about_window_set_application_name(pointer, tr("Classic Photos"))
        adw_about_window_set_application_icon(pointer, App.identifier)
        adw_about_window_set_version(pointer, PhotoPipeline.version)
        adw_about_window_set_comments(
            pointer, tr("A list of photos that never stutters, and shows why."))
        adw_about_window_set_license_type(pointer, GTK_LICENSE_APACHE_2_0)
        // Translators put their names here.
        adw_about_window_set_translator_credits(pointer, tr("translator-credits").credits)
        gtk_window_set_transient_for(cast(about), cast(window))
        gtk_window_set_modal(cast(about), 1)
        gtk_window_present(cast(about))
    }
}

extension String {
    /// Nothing, where nobody has translated.
    fileprivate var credits: String { self == "translator-credits" ? "" : self }
}
