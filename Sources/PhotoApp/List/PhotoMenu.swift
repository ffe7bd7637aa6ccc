import CGtk
import FoundationEssentials
import GtkSupport
import PhotoBrowser
import PhotoPipeline

/// What can be done with one photo, as a menu where the pointer or the keyboard is.
final class PhotoMenu {
    /// What the menu offers.
    enum Command: String, CaseIterable {
        case open, save, print, wallpaper, retry, copy, information, look, looks
        case resetLook = "reset-look"
        case openWith = "open-with"
        case showInFiles = "show-in-files"
        case copyAddress = "copy-address"
        case openAddress = "open-address"
    }

    /// Called with the photo whose menu is about to be shown.
    var onShow: (Photo.ID) -> Void = { _ in }
    /// Called with what was chosen.
    var onChoose: (Command, Photo.ID) -> Void = { _, _ in }
    /// Called where the key for copying is pressed, with the photo that the keyboard is at.
    var onCopyKey: (Photo.ID) -> Void = { _ in }
    /// Called after the menu has gone with its row, and the keyboard with it.
    var onLeave: () -> Void = {}

    /// Whether the desktop can have a photo as its wallpaper.
    var canBeWallpaper: () -> Bool = { false }
    /// What the menu of a photo offers for its look.
    var lookEntries: (Photo.ID) -> [(label: String, action: String)] = { _ in [] }
    /// What the keyboard goes back to; nil for the widget around the one that shows the photo.
    var home: Widget?

    private let list: PhotoList
    private let isLarge: Bool
    private let group = g_simple_action_group_new()
    private var actions: [Command: OpaquePointer] = [:]
    private var photo: Photo.ID?
    private var popover: Widget?

    /// - Parameters:
    ///   - list: What the photos are of.
    ///   - view: Where the menu's commands can be called.
    ///   - isLarge: Whether the photo is seen in large already.
    init(_ list: PhotoList, in view: Widget, isLarge: Bool = false) {
        self.list = list
        self.isLarge = isLarge
        guard let group else { return }
        for command in Command.allCases {
            guard let action = g_simple_action_new(command.rawValue, nil) else { continue }
            connect(action, "activate") { [weak self] (_: SignalPointer) in
                if let self, let photo { onChoose(command, photo) }
            }
            g_action_map_add_action(OpaquePointer(group), action)
            actions[command] = action
            // The group keeps it.
            g_object_unref(UnsafeMutableRawPointer(action))
        }
        gtk_widget_insert_action_group(view, "photo", OpaquePointer(group))
        g_object_unref(UnsafeMutableRawPointer(group))
    }

    /// Shows the menu of a photo.
    ///
    /// - Parameters:
    ///   - item: The widget that shows the photo.
    ///   - x: Where the pointer is in it; nil for the keyboard.
    func show(_ photo: Photo.ID, at item: Widget, x: Double? = nil, y: Double = 0) {
        close()
        onShow(photo)
        self.photo = photo
        let row = list[photo]
        let address = list.address(of: photo)
        let isFile = list.path(of: photo) != nil
        let isOnWeb = address?.lowercased().hasPrefix("http") ?? false
        for (command, isEnabled) in [
            (Command.retry, row.canRetry), (.copyAddress, address != nil), (.openAddress, isOnWeb),
            (.copy, address != nil), (.openWith, isFile), (.showInFiles, isFile),
            (.save, address != nil), (.print, address != nil), (.wallpaper, address != nil && canBeWallpaper()),
        ] {
            if let action = actions[command] { g_simple_action_set_enabled(action, isEnabled ? 1 : 0) }
        }
        let menu = makeMenu([
            (
                nil,
                (isLarge ? [] : [(tr("_Show in Large"), "photo.open")]) + [
                    (tr("_Save As…"), "photo.save"), (tr("_Print…"), "photo.print"),
                    (tr("Set as _Wallpaper…"), "photo.wallpaper"),
                ]
            ),
            (nil, lookEntries(photo)),
            (nil, [(tr("_Try Again"), "photo.retry")]),
            (
                nil,
                [
                    (tr("_Copy"), "photo.copy"), (tr("Copy _Address"), "photo.copy-address"),
                    (tr("Open Address in _Browser"), "photo.open-address"),
                    (tr("Open Wit_h…"), "photo.open-with"), (tr("Show in _Files"), "photo.show-in-files"),
                ]
            ),
            (nil, [(tr("_Information"), "photo.information")]),
        ])
        guard let menu, let popover = gtk_popover_menu_new_from_model(cast(menu.pointer, to: GMenuModel.self)) else {
            return
        }
        self.popover = popover
        gtk_widget_set_parent(popover, item)
        gtk_popover_set_has_arrow(cast(popover), 0)
        gtk_widget_set_halign(popover, GTK_ALIGN_START)
        cgtk_set_accessible_label(popover, row.name)
        let middle = gtk_widget_get_height(item) / 2
        // A row is as wide as the window, and what is in it is not.
        var left = 0.0
        if x == nil, let inner = gtk_widget_get_first_child(item) {
            gtk_widget_translate_coordinates(inner, item, 0, 0, &left, nil)
        }
        var place = GdkRectangle(x: Int32(x ?? left + 24), y: x == nil ? middle : Int32(y), width: 1, height: 1)
        gtk_popover_set_pointing_to(cast(popover), &place)
        gtk_popover_set_position(cast(popover), GTK_POS_BOTTOM)
        connect(popover, "closed") { [weak self] in
            // What was chosen is called after this, and finds its commands through the popover.
            Task {
                guard let self, self.popover == popover else { return }
                // The keyboard goes back to the photo, unless what was chosen has taken it.
                let focus = gtk_widget_get_root(item).flatMap { gtk_root_get_focus($0) }
                if focus.map({ gtk_widget_is_ancestor($0, popover) != 0 }) ?? true {
                    gtk_widget_grab_focus(self.home ?? gtk_widget_get_parent(item))
                }
                self.close()
            }
        }
        gtk_popover_popup(cast(popover))
    }

    /// Makes the pointer's second button, a long press and the keys for menus open the menu.
    ///
    /// - Parameter find: The photo that an item of the view shows, and its widget, by the widget that GTK puts around it.
    func listen(in view: Widget, _ find: @escaping (Widget) -> (photo: Photo.ID, widget: Widget)?) {
        func show(_ x: Double, _ y: Double) {
            var widget = gtk_widget_pick(view, x, y, GTK_PICK_DEFAULT)
            while let inner = widget, gtk_widget_get_parent(inner) != view { widget = gtk_widget_get_parent(inner) }
            guard let widget, let item = find(widget) else { return }
            var (left, top) = (0.0, 0.0)
            guard gtk_widget_translate_coordinates(view, item.widget, x, y, &left, &top) != 0 else { return }
            self.show(item.photo, at: item.widget, x: left, y: top)
        }
        if let click = gtk_gesture_click_new() {
            gtk_gesture_single_set_button(click, guint(GDK_BUTTON_SECONDARY))
            connect(click, "pressed") { (_: Int32, x: Double, y: Double) in
                gtk_gesture_set_state(click, GTK_EVENT_SEQUENCE_CLAIMED)
                show(x, y)
            }
            gtk_widget_add_controller(view, click)
        }
        if let press = gtk_gesture_long_press_new() {
            gtk_gesture_single_set_touch_only(press, 1)
            connect(press, "pressed") { (x: Double, y: Double) in
                gtk_gesture_set_state(press, GTK_EVENT_SEQUENCE_CLAIMED)
                show(x, y)
            }
            gtk_widget_add_controller(view, press)
        }
        guard let keys = gtk_event_controller_key_new() else { return }
        connect(keys, "key-pressed") { [weak self] (key: UInt32, code: UInt32, state: SignalFlags) -> Bool in
            let key = PressedKey(key, code: code)
            let isCopy = state.hasControl && key.means(GDK_KEY_c)
            guard key.means(GDK_KEY_Menu) || state.hasShift && key.means(GDK_KEY_F10) || isCopy,
                let focused = gtk_widget_get_focus_child(view), let item = find(focused)
            else { return false }
            if isCopy { self?.onCopyKey(item.photo) } else { self?.show(item.photo, at: item.widget) }
            return true
        }
        gtk_widget_add_controller(view, keys)
    }

    /// Closes the menu where it is at this widget, because that shows another photo from now on.
    func leave(_ item: Widget) {
        guard let popover, gtk_widget_get_parent(popover) == item else { return }
        // The view may be in the middle of its layout.
        if close() { Task { [weak self] in self?.onLeave() } }
    }

    /// Closes the menu.
    ///
    /// - Returns: Whether it had the keyboard, which nobody has now.
    @discardableResult
    func close() -> Bool {
        guard let popover else { return false }
        self.popover = nil
        // GTK 4.8 counts a widget that goes with the keyboard in it twice and releases it once; a popover that lives on
        // without its surface is then asked for a tooltip.
        let root = gtk_widget_get_root(popover)
        let focus = root.flatMap { gtk_root_get_focus($0) }
        let hadFocus = focus.map { gtk_widget_is_ancestor($0, popover) != 0 } ?? false
        if hadFocus { gtk_root_set_focus(root, nil) }
        gtk_popover_popdown(cast(popover))
        gtk_widget_unparent(popover)
        return hadFocus
    }
}

extension PhotoList {
    /// A photo's address; nil where its entry has none.
    func address(of photo: Photo.ID) -> String? {
        try? request(for: photo, longestSide: nil).get().address.text
    }
}
