import CGtk
import Foundation
import Synchronization

/// A desktop's portal on the message bus of the tests, which has the interface for wallpapers.
final class DesktopPortal: Sendable {
    /// A wallpaper that somebody asked for.
    struct Wallpaper: Sendable {
        /// The window that its question is to lie over.
        let parent: String
        let content: Data
        let showsPreview: Bool
    }

    private struct State {
        var wallpapers: [Wallpaper] = []
        var response: UInt32? = 0
    }

    private static let name = "org.freedesktop.portal.Desktop"
    private static let interface = "org.freedesktop.portal.Wallpaper"
    private let state = Mutex(State())
    private let service = Mutex<BusService?>(nil)

    /// Nil where there is no bus.
    init?() {
        let service = BusService(Self.name) { [weak self] call, connection in
            self?.answer(call, over: connection) ?? false
        }
        guard let service else { return nil }
        self.service.withLock { $0 = service }
    }

    /// Leaves the bus.
    func end() { service.withLock { $0.take() }?.end() }

    /// What was asked for.
    var wallpapers: [Wallpaper] { state.withLock { $0.wallpapers } }

    /// How it answers from now on: 0 for yes, 1 where the person does not want it, 2 for a failure; nil to refuse the call.
    var response: UInt32? {
        get { state.withLock { $0.response } }
        set { state.withLock { $0.response = newValue } }
    }

    private func answer(_ message: OpaquePointer, over connection: OpaquePointer) -> Bool {
        guard let member = g_dbus_message_get_member(message).map({ String(cString: $0) }),
            let body = g_dbus_message_get_body(message)
        else { return false }
        switch member {
        case "Get":
            guard Self.text(body, 0) == Self.interface else { return false }
            var answer = [g_variant_new_variant(g_variant_new_uint32(1))]
            reply(to: message, g_variant_new_tuple(&answer, 1), over: connection)
        case "SetWallpaperFile": answerWallpaper(message, body, connection)
        default: return false
        }
        return true
    }

    private func answerWallpaper(_ message: OpaquePointer, _ body: OpaquePointer, _ connection: OpaquePointer) {
        guard let response else {
            let error = g_dbus_message_new_method_error_literal(
                message, "org.freedesktop.DBus.Error.Failed", "No screen")
            return BusService.send(error, over: connection)
        }
        let options = g_variant_get_child_value(body, 2)
        defer { g_variant_unref(options) }
        func option(_ name: String) -> OpaquePointer? { g_variant_lookup_value(options, name, nil) }
        let token = option("handle_token").map { String(cString: g_variant_get_string($0, nil)) } ?? ""
        let showsPreview = option("show-preview").map { g_variant_get_boolean($0) != 0 } ?? false
        let wallpaper = Wallpaper(
            parent: Self.text(body, 0) ?? "", content: Self.content(of: message), showsPreview: showsPreview)
        state.withLock { $0.wallpapers.append(wallpaper) }
        let sender = g_dbus_message_get_sender(message).map { String(cString: $0) } ?? ""
        let own = String(sender.filter { $0 != ":" }.map { $0 == "." ? "_" : $0 })
        let handle = "/org/freedesktop/portal/desktop/request/\(own)/\(token)"
        var handles = [g_variant_new_object_path(handle)]
        reply(to: message, g_variant_new_tuple(&handles, 1), over: connection)
        let type = g_variant_type_new("{sv}")
        defer { g_variant_type_free(type) }
        var answer = [g_variant_new_uint32(response), g_variant_new_array(type, nil, 0)]
        g_dbus_connection_emit_signal(
            connection, sender, handle, "org.freedesktop.portal.Request", "Response", g_variant_new_tuple(&answer, 2),
            nil)
    }

    private func reply(to message: OpaquePointer, _ body: OpaquePointer?, over connection: OpaquePointer) {
        let reply = g_dbus_message_new_method_reply(message)
        g_dbus_message_set_body(reply, body)
        BusService.send(reply, over: connection)
    }

    /// What is in the file that a message brings.
    private static func content(of message: OpaquePointer) -> Data {
        guard let files = g_dbus_message_get_unix_fd_list(message) else { return Data() }
        let file = g_unix_fd_list_get(files, 0, nil)
        guard file >= 0 else { return Data() }
        return (try? FileHandle(fileDescriptor: file, closeOnDealloc: true).readToEnd()) ?? Data()
    }

    private static func text(_ body: OpaquePointer, _ index: gsize) -> String? {
        guard let child = g_variant_get_child_value(body, index) else { return nil }
        defer { g_variant_unref(child) }
        return g_variant_get_string(child, nil).map { String(cString: $0) }
    }
}
