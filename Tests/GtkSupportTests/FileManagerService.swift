import CGtk
import Foundation
import Synchronization

/// A file manager on the message bus of the tests, which notes the files that it is to show.
final class FileManagerService: Sendable {
    private static let name = "org.freedesktop.FileManager1"
    private let addresses = Mutex<[String]>([])
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
        // It answers on a thread of its own: tests wait for the program, which waits for the answer.
        let identifier = g_dbus_connection_add_filter(
            connection,
            { connection, message, isIncoming, service in
                guard let connection, let message, let service, isIncoming != 0,
                    let answer = Unmanaged<FileManagerService>.fromOpaque(service).takeUnretainedValue().answer(message)
                else { return message }
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

    /// The addresses of the files that it was to show last.
    var shown: [String] { addresses.withLock { $0 } }

    private func answer(_ message: OpaquePointer) -> OpaquePointer? {
        guard g_dbus_message_get_message_type(message) == G_DBUS_MESSAGE_TYPE_METHOD_CALL,
            g_dbus_message_get_member(message).map({ String(cString: $0) }) == "ShowItems",
            let body = g_dbus_message_get_body(message), let list = g_variant_get_child_value(body, 0)
        else { return nil }
        defer { g_variant_unref(list) }
        let shown = (0..<g_variant_n_children(list)).compactMap { index -> String? in
            guard let child = g_variant_get_child_value(list, index) else { return nil }
            defer { g_variant_unref(child) }
            return g_variant_get_string(child, nil).map { String(cString: $0) }
        }
        addresses.withLock { $0 = shown }
        return g_dbus_message_new_method_reply(message)
    }
}
