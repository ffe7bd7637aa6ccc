import CGtk
import GtkSupport

/// Says what somebody has to know, and stays until they have read it.
enum MessageDialog {
    /// Says it over a window.
    ///
    /// - Parameters:
    ///   - label: What else can be done about it; nil for nothing.
    ///   - action: Does that.
    static func show(
        over window: Widget?, _ heading: String, _ text: String, offering label: String? = nil,
        _ action: @escaping () -> Void = {}
    ) {
        guard let dialog = cgtk_message_dialog(cast(window), heading, text) else { return }
        cgtk_message_dialog_add_response(dialog, "close", tr("_Close"))
        adw_message_dialog_set_close_response(cast(dialog), "close")
        if let label { cgtk_message_dialog_add_response(dialog, "action", label) }
        adw_message_dialog_set_default_response(cast(dialog), label == nil ? "close" : "action")
        connect(dialog, "response") { (response: String) in
            if response == "action" { action() }
        }
        gtk_window_present(cast(dialog))
    }

    /// Asks whether something may be lost.
    ///
    /// - Parameters:
    ///   - label: What loses it.
    ///   - action: Does that.
    static func ask(
        over window: Widget?, _ heading: String, _ text: String, losingBy label: String,
        _ action: @escaping () -> Void
    ) {
        guard let dialog = cgtk_message_dialog(cast(window), heading, text) else { return }
        cgtk_message_dialog_add_response(dialog, "cancel", tr("_Cancel"))
        cgtk_message_dialog_add_response(dialog, "action", label)
        adw_message_dialog_set_response_appearance(cast(dialog), "action", ADW_RESPONSE_DESTRUCTIVE)
        adw_message_dialog_set_close_response(cast(dialog), "cancel")
        adw_message_dialog_set_default_response(cast(dialog), "cancel")
        connect(dialog, "response") { (response: String) in
            if response == "action" { action() }
        }
        gtk_window_present(cast(dialog))
    }

    /// Says it in a window of its own, because the one that it is about is closed; the application goes on until it is
    /// read.
    static func showAlone(_ application: OpaquePointer, _ heading: String, _ text: String) {
        // GTK's and libadwaita's dialogs want to be over a window.
        guard let window = adw_application_window_new(cast(application)),
            let box = gtk_box_new(GTK_ORIENTATION_VERTICAL, 0)
        else { return }
        let page = StatusPage(icon: "dialog-error-symbolic", title: heading, text: text)
        gtk_widget_set_vexpand(page.widget, 1)
        gtk_widget_add_css_class(page.widget, "compact")
        // Below the page, which scrolls where the text is long.
        let buttons = StatusPage.buttons([(tr("_Close"), "window.close")])
        for set in [gtk_widget_set_margin_top, gtk_widget_set_margin_bottom] { set(buttons, 18) }
        for part in [adw_header_bar_new(), page.widget, buttons] { gtk_box_append(cast(box), part) }
        adw_application_window_set_content(cast(window), box)
        gtk_window_set_title(cast(window), tr("Classic Photos"))
        gtk_window_set_default_size(cast(window), 480, 420)
        if let keys = gtk_event_controller_key_new() {
            connect(keys, "key-pressed") { (key: UInt32) -> Bool in
                guard Int32(bitPattern: key) == GDK_KEY_Escape else { return false }
                gtk_window_close(cast(window))
                return true
            }
            gtk_widget_add_controller(window, keys)
        }
        gtk_window_present(cast(window))
    }
}
