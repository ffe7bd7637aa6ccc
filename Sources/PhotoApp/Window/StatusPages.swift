import CGtk
import GtkSupport
import PhotoPipeline

/// What the window shows below its header.
enum Page: String { case empty, loading, failure, noPhotos, noMatch, photos }

/// The pages that are there when there are no photos to show.
final class StatusPages {
    private let failure = StatusPage(
        icon: "dialog-error-symbolic", title: tr("The Catalog Cannot Be Loaded"),
        below: StatusPage.buttons([(tr("_Try Again"), "win.retry"), (tr("_Open Another…"), "win.open")]))
    private let empty: StatusPage
    private let loading = gtk_scrolled_window_new()
    private let loaded = gtk_label_new(nil)
    private let noPhotos: StatusPage
    private let noMatch = StatusPage(
        icon: "edit-find-symbolic", title: tr("No Match"), text: tr("No photo has such a name."))
    private let recent = gtk_list_box_new()
    private let box = gtk_box_new(GTK_ORIENTATION_VERTICAL, 24)

    init() {
        let ways = [(tr("Open _Folder…"), "win.open-folder"), (tr("_Open Pictures or a Catalog…"), "win.open")]
        let sample = DataFiles.sampleCatalog == nil ? [] : [(tr("See the _Sample"), "win.open-sample")]
        gtk_box_append(cast(box), StatusPage.buttons(ways + sample))
        if DataFiles.sampleCatalog != nil { gtk_box_append(cast(box), Self.makeTour()) }
        empty = StatusPage(
            icon: App.identifier, title: tr("See Your Photos"),
            text: tr(
                "A folder, pictures, or a catalog of photographs: a property list, JSON, CSV or plain addresses. You can also drop them here."
            ),
            below: box)
        noPhotos = StatusPage(
            icon: "folder-pictures-symbolic", title: tr("No Photos"), below: StatusPage.buttons(ways))
        makeLoading()
        makeRecent()
    }

    /// Says why a catalog cannot be had.
    func showFailure(_ error: Catalog.LoadingError) {
        failure.say(error.sentence, detail: error.detail)
    }

    /// Says why there are no photos.
    ///
    /// - Parameter isOwn: Whether somebody's own were opened, and no catalog.
    func tellNoPhotos(isOwn: Bool) {
        noPhotos.say(isOwn ? tr("There are no pictures here.") : tr("The catalog has no entries."))
    }

    var all: [(Page, Widget?)] {
        [
            (.empty, empty.widget), (.loading, loading), (.failure, failure.widget),
            (.noPhotos, noPhotos.widget), (.noMatch, noMatch.widget),
        ]
    }

    /// Offers what was open before.
    func showRecent(_ catalogs: [String]) {
        guard let recent else { return }
        while let row = gtk_list_box_get_row_at_index(OpaquePointer(recent), 0) {
            gtk_list_box_remove(OpaquePointer(recent), cast(row))
        }
        for catalog in catalogs {
            guard let row = adw_action_row_new() else { continue }
            adw_preferences_row_set_title(cast(row), Catalog.Source(argument: catalog).name.escapedForMarkup)
            adw_action_row_set_subtitle(cast(row), catalog.escapedForMarkup)
            adw_action_row_set_subtitle_lines(cast(row), 1)
            gtk_list_box_row_set_activatable(cast(row), 1)
            gtk_actionable_set_action_target_value(OpaquePointer(row), g_variant_new_string(catalog))
            gtk_actionable_set_action_name(OpaquePointer(row), "win.open-recent")
            gtk_list_box_append(OpaquePointer(recent), row)
        }
        gtk_widget_set_visible(gtk_widget_get_parent(recent), catalogs.isEmpty ? 0 : 1)
        // A smaller picture makes room for them.
        if catalogs.isEmpty {
            gtk_widget_remove_css_class(empty.widget, "compact")
        } else {
            gtk_widget_add_css_class(empty.widget, "compact")
        }
    }

    /// Gives the keyboard to the first button.
    func takeFocus() { gtk_widget_child_focus(box, GTK_DIR_TAB_FORWARD) }

    /// Says how much of what is loaded has come; nil for unknown.
    func showLoading(_ fraction: Double?) {
        let text = fraction.map { tr("{percentage} %").filled(["percentage": Int($0 * 100).grouped]) } ?? ""
        if let loaded { gtk_label_set_text(OpaquePointer(loaded), text) }
        // Otherwise it would keep the window from being small.
        gtk_widget_set_visible(loaded, text.isEmpty ? 0 : 1)
    }

    /// The way to the tour, below those to photos.
    private static func makeTour() -> Widget? {
        let button: Widget? = gtk_button_new_with_mnemonic(tr("How Does It Work? Take the _Tour"))
        gtk_actionable_set_action_name(button.map { OpaquePointer($0) }, "win.tour")
        if let button { cgtk_set_accessible_label(button, tr("How Does It Work? Take the _Tour").filter { $0 != "_" }) }
        for style in ["flat", "pill"] { gtk_widget_add_css_class(button, style) }
        gtk_widget_set_halign(button, GTK_ALIGN_CENTER)
        return button
    }

    private func makeLoading() {
        guard let spinner = gtk_spinner_new(), let title = gtk_label_new(tr("Loading the Catalog")),
            let cancel = gtk_button_new_with_mnemonic(tr("_Cancel")), let loading,
            let box = gtk_box_new(GTK_ORIENTATION_VERTICAL, 18)
        else { return }
        gtk_widget_set_size_request(spinner, 48, 48)
        gtk_spinner_start(OpaquePointer(spinner))
        gtk_widget_add_css_class(title, "title-1")
        gtk_label_set_wrap(OpaquePointer(title), 1)
        gtk_label_set_justify(OpaquePointer(title), GTK_JUSTIFY_CENTER)
        gtk_widget_add_css_class(loaded, "numeric")
        gtk_actionable_set_action_name(OpaquePointer(cancel), "win.cancel-opening")
        // GTK makes a name of the text with the mark for the key.
        cgtk_set_accessible_label(cancel, tr("_Cancel").filter { $0 != "_" })
        gtk_widget_add_css_class(cancel, "pill")
        gtk_widget_set_halign(cancel, GTK_ALIGN_CENTER)
        showLoading(nil)
        for child in [spinner, title, loaded, cancel] { gtk_box_append(cast(box), child) }
        gtk_widget_set_valign(box, GTK_ALIGN_CENTER)
        // Scrolled in a low window, it does not keep the window high.
        gtk_scrolled_window_set_policy(OpaquePointer(loading), GTK_POLICY_NEVER, GTK_POLICY_AUTOMATIC)
        gtk_scrolled_window_set_child(OpaquePointer(loading), box)
    }

    private func makeRecent() {
        guard let recent, let part = gtk_box_new(GTK_ORIENTATION_VERTICAL, 6), let title = gtk_label_new(tr("Recent"))
        else { return }
        gtk_widget_add_css_class(title, "heading")
        gtk_label_set_xalign(OpaquePointer(title), 0)
        gtk_list_box_set_selection_mode(OpaquePointer(recent), GTK_SELECTION_NONE)
        gtk_widget_add_css_class(recent, "boxed-list")
        cgtk_set_accessible_label(recent, tr("Recent"))
        gtk_widget_set_size_request(recent, 300, -1)
        gtk_box_append(cast(part), title)
        gtk_box_append(cast(part), recent)
        // As wide as the widest of them, up to a bound.
        guard let clamp = adw_clamp_new() else { return }
        adw_clamp_set_maximum_size(OpaquePointer(clamp), 480)
        adw_clamp_set_child(OpaquePointer(clamp), part)
        gtk_box_append(cast(box), clamp)
    }
}
