import CGtk
import GtkSupport

/// The header bar: open, pause, look, retry, and the title.
final class WindowHeader {
    let widget = adw_header_bar_new()
    /// The look that is chosen.
    private(set) var look = Look.all[0]
    var onPause: (Bool) -> Void = { _ in }
    var onRetryAll: () -> Void = {}
    var onLook: (Look) -> Void = { _ in }

    private let title = adw_window_title_new("Classic Photos", "")
    private let pause = gtk_toggle_button_new()
    private let retryAll = gtk_button_new_with_mnemonic("_Retry Failed")
    private let looks = gtk_menu_button_new()

    init() {
        guard let widget, let title, let pause, let retryAll, let looks,
            let open = gtk_button_new_from_icon_name("document-open-symbolic")
        else { return }
        let bar = OpaquePointer(widget)
        adw_header_bar_set_title_widget(bar, title)
        gtk_actionable_set_action_name(OpaquePointer(open), "app.open")
        name(open, "Open a catalog")
        gtk_button_set_icon_name(cast(pause), "media-playback-pause-symbolic")
        name(pause, "Pause downloads")
        connect(pause, "toggled") { [unowned self] in
            let isPaused = gtk_toggle_button_get_active(cast(pause)) != 0
            gtk_button_set_icon_name(
                cast(pause), isPaused ? "media-playback-start-symbolic" : "media-playback-pause-symbolic")
            name(pause, isPaused ? "Resume downloads" : "Pause downloads")
            onPause(isPaused)
        }
        connect(retryAll, "clicked") { [unowned self] in onRetryAll() }
        makeLooks(looks)
        adw_header_bar_pack_start(bar, open)
        adw_header_bar_pack_start(bar, retryAll)
        adw_header_bar_pack_end(bar, looks)
        adw_header_bar_pack_end(bar, pause)
    }

    /// Says what is open.
    func show(title text: String, subtitle: String) {
        guard let title else { return }
        adw_window_title_set_title(OpaquePointer(title), text)
        adw_window_title_set_subtitle(OpaquePointer(title), subtitle)
    }

    /// Offers what makes sense at present.
    func update(hasPhotos: Bool, failed: Int) {
        gtk_widget_set_sensitive(pause, hasPhotos ? 1 : 0)
        gtk_widget_set_sensitive(looks, hasPhotos ? 1 : 0)
        gtk_widget_set_visible(retryAll, failed > 0 ? 1 : 0)
        gtk_widget_set_tooltip_text(retryAll, failed == 1 ? "1 photo failed" : "\(failed) photos failed")
    }

    private func name(_ widget: UnsafeMutablePointer<GtkWidget>, _ text: String) {
        gtk_widget_set_tooltip_text(widget, text)
        cgtk_set_accessible_label(widget, text)
    }

    private func makeLooks(_ button: UnsafeMutablePointer<GtkWidget>) {
        guard let menu = gtk_popover_new(), let box = gtk_box_new(GTK_ORIENTATION_VERTICAL, 0) else { return }
        var first: UnsafeMutablePointer<GtkWidget>?
        for look in Look.all {
            guard let choice = gtk_check_button_new_with_label(look.name) else { continue }
            if let first { gtk_check_button_set_group(cast(choice), cast(first)) }
            if first == nil { gtk_check_button_set_active(cast(choice), 1) }
            first = first ?? choice
            connect(choice, "toggled") { [unowned self] in
                guard gtk_check_button_get_active(cast(choice)) != 0 else { return }
                self.look = look
                onLook(look)
            }
            gtk_box_append(cast(box), choice)
        }
        gtk_popover_set_child(cast(menu), box)
        gtk_menu_button_set_popover(OpaquePointer(button), menu)
        gtk_menu_button_set_icon_name(OpaquePointer(button), "applications-graphics-symbolic")
        name(button, "Look")
    }
}
