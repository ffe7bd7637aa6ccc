import CGtk
import Foundation
import Synchronization

/// The session of a desktop, on the message bus of the tests: what programs ask it to keep from happening.
final class SessionManager: Sendable {
    private struct State {
        var next: UInt32 = 1
        /// What is kept from happening, by the number that the session gave the request.
        var requests: [UInt32: UInt32] = [:]
    }

    private static let name = "org.gnome.SessionManager"
    /// The session's number for keeping the screen from going dark.
    static let idle: UInt32 = 8

    private let state = Mutex(State())
    private let connection: UInt
    private let filter = Mutex<guint>(0)

    /// Nil where there is no bus.
    init?() {
        guard let address = SessionBus.address else { return nil }
        let flags = GDBusConnectionFlags(
            G_DBUS_CONNECTION_FLAGS_AUTHENTICATION_CLIENT.rawValue
                | G_DBUS_CONNECTION_FLAGS_MESSAGE_BUS_CONNECTION.rawValue)
        guard let connection = g_dbus_connection_new_for_address_sync(address, flags, nil, nil, nil) else { return nil }
        self.connection = UInt(bitPattern: connection)
        // It answers on a thread of its own: the program waits for the answer, and tests wait for the program.
        let identifier = g_dbus_connection_add_filter(
            connection,
            { connection, message, isIncoming, manager in
                guard let connection, let message, let manager, isIncoming != 0 else { return message }
                let answer = Unmanaged<SessionManager>.fromOpaque(manager).takeUnretainedValue().answer(message)
                guard let answer else { return message }
                g_dbus_connection_send_message(connection, answer, G_DBUS_SEND_MESSAGE_FLAGS_NONE, nil, nil)
                g_object_unref(UnsafeMutableRawPointer(answer))
                g_object_unref(UnsafeMutableRawPointer(message))
                return nil
            }, Unmanaged.passUnretained(self).toOpaque(), nil)
        filter.withLock { $0 = identifier }
        var arguments = [g_variant_new_string(Self.name), g_variant_new_uint32(0)]
        let reply = g_dbus_connection_call_sync(
            connection, "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", "RequestName",
            g_variant_new_tuple(&arguments, 2), nil, G_DBUS_CALL_FLAGS_NONE, 60_000, nil, nil)
        if let reply { g_variant_unref(reply) }
    }

    /// Leaves the bus.
    func end() {
        guard let connection = OpaquePointer(bitPattern: connection) else { return }
        g_dbus_connection_remove_filter(connection, filter.withLock { $0 })
        g_dbus_connection_close_sync(connection, nil, nil)
        g_object_unref(UnsafeMutableRawPointer(connection))
    }

    /// What is kept from happening at present.
    var kept: [UInt32] { state.withLock { Array($0.requests.values) } }

    /// How often it was asked to keep something from happening.
    var count: Int { state.withLock { Int($0.next) - 1 } }

    private func answer(_ message: OpaquePointer) -> OpaquePointer? {
        guard g_dbus_message_get_message_type(message) == G_DBUS_MESSAGE_TYPE_METHOD_CALL,
            g_dbus_message_get_interface(message).map({ String(cString: $0) }) == Self.name,
            let member = g_dbus_message_get_member(message), let body = g_dbus_message_get_body(message),
            let reply = g_dbus_message_new_method_reply(message)
        else { return nil }
        func number(_ index: gsize) -> UInt32 {
            guard let child = g_variant_get_child_value(body, index) else { return 0 }
            defer { g_variant_unref(child) }
            return g_variant_get_uint32(child)
        }
        switch String(cString: member) {
        case "Inhibit":
            let flags = number(3)
            let request = state.withLock { state in
                defer { state.next += 1 }
                state.requests[state.next] = flags
                return state.next
            }
            var answers = [g_variant_new_uint32(request)]
            g_dbus_message_set_body(reply, g_variant_new_tuple(&answers, 1))
        case "Uninhibit":
            let request = number(0)
            state.withLock { $0.requests[request] = nil }
        default:
            g_object_unref(UnsafeMutableRawPointer(reply))
            return nil
        }
        return reply
    }
}
