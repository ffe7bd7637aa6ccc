import CGtk
import Glibc
import GtkSupport

/// Actions of the program (`app.NAME`) or of a window (`win.NAME`): what menus, buttons and keys call by name.
final class Actions {
    private let application: OpaquePointer
    /// Whose actions they are.
    private let owner: OpaquePointer
    private let prefix: String
    private var actions: [String: ObjectReference] = [:]

    /// - Parameter window: The window whose actions they are; nil for those of the program. Default: nil.
    init(_ application: OpaquePointer, of window: Widget? = nil) {
        self.application = application
        owner = window.map { OpaquePointer($0) } ?? application
        prefix = window == nil ? "app" : "win"
    }

    /// An action that does something.
    func add(_ name: String, keys: [String] = [], _ body: @escaping () -> Void) {
        guard let action = g_simple_action_new(name, nil) else { return }
        connect(action, "activate") { (_: SignalPointer) in body() }
        install(action, name, keys)
    }

    /// An action that is on or off.
    func addSwitch(_ name: String, keys: [String] = [], _ body: @escaping (Bool) -> Void) {
        let off = g_variant_new_boolean(0)
        guard let action = g_simple_action_new_stateful(name, nil, off) else { return }
        connect(action, "change-state") { (value: SignalPointer) in
            guard let value = value.pointer else { return }
            g_simple_action_set_state(action, value)
            body(g_variant_get_boolean(value) != 0)
        }
        install(action, name, keys)
    }

    /// An action that has one of several values.
    func addChoice(_ name: String, value: String, _ body: @escaping (String) -> Void) {
        let type = g_variant_type_new("s")
        defer { g_variant_type_free(type) }
        guard let action = g_simple_action_new_stateful(name, type, g_variant_new_string(value)) else { return }
        connect(action, "change-state") { (value: SignalPointer) in
            guard let value = value.pointer else { return }
            g_simple_action_set_state(action, value)
            body(String(cString: g_variant_get_string(value, nil)))
        }
        install(action, name, [])
    }

    /// An action that is given a text.
    func addWithText(_ name: String, _ body: @escaping (String) -> Void) {
        let type = g_variant_type_new("s")
        defer { g_variant_type_free(type) }
        guard let action = g_simple_action_new(name, type) else { return }
        connect(action, "activate") { (value: SignalPointer) in
            if let value = value.pointer { body(String(cString: g_variant_get_string(value, nil))) }
        }
        install(action, name, [])
    }

    /// Whether an action can be called.
    func enable(_ names: [String], _ isEnabled: Bool) {
        for name in names {
            if let action = actions[name] { g_simple_action_set_enabled(action.pointer, isEnabled ? 1 : 0) }
        }
    }

    /// Turns a switch, as the user does.
    func turn(_ name: String, on isOn: Bool) {
        if let action = actions[name] {
            g_action_change_state(action.pointer, g_variant_new_boolean(isOn ? 1 : 0))
        }
    }

    /// Chooses a value, as the user does.
    func choose(_ name: String, _ value: String) {
        if let action = actions[name] { g_action_change_state(action.pointer, g_variant_new_string(value)) }
    }

    private func install(_ action: OpaquePointer, _ name: String, _ keys: [String]) {
        g_action_map_add_action(owner, action)
        actions[name] = ObjectReference(owning: action)
        guard !keys.isEmpty else { return }
        var accelerators = keys.map { UnsafePointer(strdup($0)) } + [nil]
        gtk_application_set_accels_for_action(cast(application), "\(prefix).\(name)", &accelerators)
        for key in accelerators { free(UnsafeMutableRawPointer(mutating: key)) }
    }
}

/// A menu, section by section. What many desktops and photos of the web cannot do is not there where it cannot be done.
func makeMenu(_ sections: [(title: String?, entries: [(label: String, action: String)])]) -> ObjectReference? {
    guard let menu = g_menu_new() else { return nil }
    for section in sections {
        guard let part = g_menu_new() else { continue }
        for entry in section.entries {
            guard let item = g_menu_item_new(entry.label, entry.action) else { continue }
            if [".wallpaper", ".open-with", ".show-in-files"].contains(where: entry.action.hasSuffix) {
                g_menu_item_set_attribute_value(item, "hidden-when", g_variant_new_string("action-disabled"))
            }
            g_menu_append_item(part, item)
            g_object_unref(UnsafeMutableRawPointer(item))
        }
        g_menu_append_section(menu, section.title, cast(part, to: GMenuModel.self))
        g_object_unref(UnsafeMutableRawPointer(part))
    }
    return ObjectReference(owning: menu)
}
