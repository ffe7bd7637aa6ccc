import CGtk
import GtkSupport

/// The header bar: open, search, the title, pause, layout and order, looks, and the menu.
package final class WindowHeader {
    let widget = adw_header_bar_new()
    package let looks: LookChooser

    private let title = adw_window_title_new(tr("Classic Photos"), "")
    private let pause = gtk_toggle_button_new()
    private let search = gtk_toggle_button_new()
    private let arrange = gtk_menu_button_new()
    private let open = adw_split_button_new()
    private let menu = gtk_menu_button_new()
    /// The part of the menu beside “Open” that changes.
    private let recent = g_menu_new().map { ObjectReference(owning: $0) }
    private var shownRecent: [String] = []

    init(looks: LookChooser) {
        self.looks = looks
        guard let widget, let title, let pause, let search, let arrange, let open, let menu else { return }
        let bar = OpaquePointer(widget)
        adw_header_bar_set_title_widget(bar, Self.ifThereIsRoom(Self.cut(title, to: 24)))
        adw_split_button_set_label(OpaquePointer(open), tr("_Open"))
        adw_split_button_set_use_underline(OpaquePointer(open), 1)
        gtk_actionable_set_action_name(OpaquePointer(open), "win.open")
        Self.name(open, tr("Open a catalog"))
        Self.icon(cast(search), "edit-find-symbolic", tr("Search"), action: "win.search")
        Self.icon(cast(pause), "media-playback-pause-symbolic", tr("Pause"), action: "win.pause")
        connect(pause, "toggled") {
            let isPaused = gtk_toggle_button_get_active(cast(pause)) != 0
            let icon = isPaused ? "media-playback-start-symbolic" : "media-playback-pause-symbolic"
            gtk_button_set_icon_name(cast(pause), icon)
            Self.name(pause, isPaused ? tr("Resume") : tr("Pause"))
        }
        makeArrange(arrange)
        makeMenu(menu)
        adw_header_bar_pack_start(bar, open)
        adw_header_bar_pack_start(bar, Self.ifThereIsRoom(search))
        adw_header_bar_pack_end(bar, menu)
        adw_header_bar_pack_end(bar, Self.ifThereIsRoom(arrange))
        if let button = looks.button { adw_header_bar_pack_end(bar, button) }
        adw_header_bar_pack_end(bar, Self.ifThereIsRoom(pause))
        makeOpenMenu(OpaquePointer(open))
    }

    /// Has a title cut where it is long, rather than push buttons out of the header; where there is room, it takes that.
    ///
    /// - Parameter count: How many characters it asks for at most.
    static func cut(_ title: Widget, to count: Int32) -> Widget {
        gtk_widget_set_hexpand(title, 1)
        limit(below: title, to: count)
        return title
    }

    private static func limit(below widget: Widget, to count: Int32) {
        if g_type_is_a(cgtk_instance_type(widget), gtk_label_get_type()) != 0 {
            gtk_label_set_max_width_chars(OpaquePointer(widget), count)
        }
        var child = gtk_widget_get_first_child(widget)
        while let next = child {
            limit(below: next, to: count)
            child = gtk_widget_get_next_sibling(next)
        }
    }

    /// What makes room in a narrow window: what a button does the menu offers, too.
    static func ifThereIsRoom(_ child: Widget) -> Widget? {
        guard let squeezer = adw_squeezer_new() else { return child }
        // A title may be cut as long as some of it is seen.
        adw_squeezer_set_switch_threshold_policy(OpaquePointer(squeezer), ADW_FOLD_THRESHOLD_POLICY_MINIMUM)
        adw_squeezer_set_allow_none(OpaquePointer(squeezer), 1)
        adw_squeezer_set_homogeneous(OpaquePointer(squeezer), 0)
        // It asks its child too late for a header bar to give it room.
        if gtk_widget_get_hexpand(child) != 0 { gtk_widget_set_hexpand(squeezer, 1) }
        adw_squeezer_add(OpaquePointer(squeezer), child)
        return squeezer
    }

    /// Says what is open.
    func show(title text: String, subtitle: String) {
        guard let title else { return }
        adw_window_title_set_title(OpaquePointer(title), text)
        adw_window_title_set_subtitle(OpaquePointer(title), subtitle)
    }

    /// Offers what was open before; a menu that is open stays open.
    func showRecent(_ catalogs: [String]) {
        guard let recent, catalogs != shownRecent else { return }
        shownRecent = catalogs
        g_menu_remove_all(recent.pointer)
        for catalog in catalogs {
            guard let item = g_menu_item_new(catalog.shortened.escapedForMnemonic, nil) else { continue }
            g_menu_item_set_action_and_target_value(item, "win.open-recent", g_variant_new_string(catalog))
            g_menu_append_item(recent.pointer, item)
            g_object_unref(UnsafeMutableRawPointer(item))
        }
    }

    private func makeOpenMenu(_ button: OpaquePointer) {
        let ways = [(tr("Open _Folder…"), "win.open-folder"), (tr("Open _Address…"), "win.open-address")]
        guard let menu = PhotoApp.makeMenu([(nil, ways)]), let recent else { return }
        g_menu_append_section(menu.pointer, tr("Recent"), cast(recent.pointer, to: GMenuModel.self))
        adw_split_button_set_menu_model(button, cast(menu.pointer, to: GMenuModel.self))
    }

    /// Offers what makes sense at present.
    func update(hasPhotos: Bool) {
        for widget in [pause, looks.button, search, arrange] { gtk_widget_set_sensitive(widget, hasPhotos ? 1 : 0) }
    }

    /// The ways to lay photos out, and their orders.
    private static var arrangements: [(title: String?, entries: [(label: String, action: String)])] {
        [
            (tr("View"), [(tr("List"), "win.layout::list"), (tr("Grid"), "win.layout::grid")]),
            (
                tr("Photos"),
                [
                    (tr("Small"), "win.thumbnails::small"), (tr("Medium"), "win.thumbnails::medium"),
                    (tr("Large"), "win.thumbnails::large"),
                ]
            ),
            (
                tr("Order"),
                [
                    (tr("As in the Catalog"), "win.order::catalog"), (tr("By Name"), "win.order::name"),
                    (tr("By State"), "win.order::state"), (tr("By Date Modified"), "win.order::modified"),
                    (tr("By File Size"), "win.order::size"),
                ]
            ),
            (nil, [(tr("Reversed"), "win.reversed")]),
        ]
    }

    private func makeArrange(_ button: Widget) {
        let menu = PhotoApp.makeMenu(Self.arrangements)
        if let menu { gtk_menu_button_set_menu_model(OpaquePointer(button), cast(menu.pointer, to: GMenuModel.self)) }
        gtk_menu_button_set_icon_name(OpaquePointer(button), "view-list-symbolic")
        Self.name(button, tr("View and order"))
    }

    private func makeMenu(_ button: Widget) {
        let menu = PhotoApp.makeMenu([
            (
                nil,
                [
                    (tr("_Save Photo As…"), "win.save"), (tr("Save A_ll With This Look…"), "win.save-all"),
                    (tr("_Print…"), "win.print"), (tr("Set as _Wallpaper…"), "win.wallpaper"),
                    (tr("_Try Failed Photos Again"), "win.retry"),
                    (tr("_Reload With an Empty Memory"), "win.reload"),
                ]
            ),
            (
                nil,
                [
                    (tr("Search"), "win.search"), (tr("Slideshow"), "win.slideshow"), (tr("Pause"), "win.pause"),
                    (tr("Show _Operations"), "win.panel"), (tr("_Compare Strategies"), "win.compare"),
                ]
            ),
            (
                nil,
                [
                    (tr("_New Window"), "app.new-window"), (tr("_Preferences"), "app.preferences"),
                    (tr("_Keyboard Shortcuts"), "win.shortcuts"),
                    (tr("_Help"), "win.help"), (tr("Guided _Tour"), "win.tour"),
                    (tr("_About Classic Photos"), "app.about"),
                ]
            ),
        ])
        if let menu {
            if let arrange = PhotoApp.makeMenu(Self.arrangements) {
                // Behind what is done to photos.
                let model: UnsafeMutablePointer<GMenuModel>? = cast(arrange.pointer)
                g_menu_insert_submenu(menu.pointer, 2, tr("View and order"), model)
            }
            gtk_menu_button_set_menu_model(OpaquePointer(button), cast(menu.pointer, to: GMenuModel.self))
        }
        gtk_menu_button_set_icon_name(OpaquePointer(button), "open-menu-symbolic")
        gtk_menu_button_set_primary(OpaquePointer(button), 1)
        Self.name(button, tr("Menu"))
    }

    /// Gives a button an icon, a name, and what it does.
    static func icon(_ button: UnsafeMutablePointer<GtkButton>?, _ icon: String, _ text: String, action: String) {
        guard let button else { return }
        gtk_button_set_icon_name(button, icon)
        gtk_actionable_set_action_name(OpaquePointer(button), action)
        if let widget = cast(button, to: GtkWidget.self) { name(widget, text) }
    }

    static func name(_ widget: Widget, _ text: String) {
        gtk_widget_set_tooltip_text(widget, text)
        cgtk_set_accessible_label(widget, text)
    }
}

extension String {
    /// As a label shows it that takes underscores for marks of keys.
    fileprivate var escapedForMnemonic: String { replacing("_", with: "__") }

    /// The end of a long path or address.
    var shortened: String { count <= 48 ? self : "…" + suffix(47) }
}
