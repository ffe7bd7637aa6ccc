import CGtk

/// A service of a desktop on the message bus of the tests.
final class BusService: Sendable {
    /// Answers a call, and says whether it was for the service.
    typealias Answer = @Sendable (_ call: OpaquePointer, _ connection: OpaquePointer) -> Bool

    private let connection: UInt
    private let filter: guint

    private final class Handler: Sendable {
        let answer: Answer
        init(_ answer: @escaping Answer) { self.answer = answer }
    }

    /// Takes a name on the bus; nil where there is no bus.
    ///
    /// - Parameter answer: It answers on a thread of its own, as programs wait for the answer, and tests wait for the programs.
    init?(_ name: String, answer: @escaping Answer) {
        guard let address = SessionBus.address else { return nil }
        let flags = GDBusConnectionFlags(
            G_DBUS_CONNECTION_FLAGS_AUTHENTICATION_CLIENT.rawValue
                | G_DBUS_CONNECTION_FLAGS_MESSAGE_BUS_CONNECTION.rawValue)
        guard let connection = g_dbus_connection_new_for_address_sync(address, flags, nil, nil, nil) else { return nil }
        self.connection = UInt(bitPattern: connection)
        filter = g_dbus_connection_add_filter(
            connection,
            { connection, message, isIncoming, handler in
                guard let connection, let message, let handler, isIncoming != 0,
                    g_dbus_message_get_message_type(message) == G_DBUS_MESSAGE_TYPE_METHOD_CALL,
                    Unmanaged<Handler>.fromOpaque(handler).takeUnretainedValue().answer(message, connection)
                else { return message }
                g_object_unref(UnsafeMutableRawPointer(message))
                return nil
            }, Unmanaged.passRetained(Handler(answer)).toOpaque(),
            { if let handler = $0 { Unmanaged<Handler>.fromOpaque(handler).release() } })
        var arguments = [g_variant_new_string(name), g_variant_new_uint32(0)]
        let reply = g_dbus_connection_call_sync(
            connection, "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", "RequestName",
            g_variant_new_tuple(&arguments, 2), nil, G_DBUS_CALL_FLAGS_NONE, 60_000, nil, nil)
        if let reply { g_variant_unref(reply) }
    }

    /// Leaves the bus.
    func end() {
        guard let connection = OpaquePointer(bitPattern: connection) else { return }
        g_dbus_connection_remove_filter(connection, filter)
        g_dbus_connection_close_sync(connection, nil, nil)
        g_object_unref(UnsafeMutableRawPointer(connection))
    }

    /// Sends an answer, which is let go.
    static func send(_ answer: OpaquePointer?, over connection: OpaquePointer) {
        guard let answer else { return }
        g_dbus_connection_send_message(connection, answer, G_DBUS_SEND_MESSAGE_FLAGS_NONE, nil, nil)
        g_object_unref(UnsafeMutableRawPointer(answer))
    }
}
