import CGtk
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

    /// What is kept from happening at present.
    var kept: [UInt32] { state.withLock { Array($0.requests.values) } }

    /// How often it was asked to keep something from happening.
    var count: Int { state.withLock { Int($0.next) - 1 } }

    private func answer(_ message: OpaquePointer, over connection: OpaquePointer) -> Bool {
        guard g_dbus_message_get_interface(message).map({ String(cString: $0) }) == Self.name,
            let member = g_dbus_message_get_member(message), let body = g_dbus_message_get_body(message),
            let reply = g_dbus_message_new_method_reply(message)
        else { return false }
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
            return false
        }
        BusService.send(reply, over: connection)
        return true
    }
}
