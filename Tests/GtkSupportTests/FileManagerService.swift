import CGtk
import Synchronization

/// A file manager on the message bus of the tests, which notes the files that it is to show.
final class FileManagerService: Sendable {
    private static let name = "org.freedesktop.FileManager1"
    private let addresses = Mutex<[String]>([])
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

    /// The addresses of the files that it was to show last.
    var shown: [String] { addresses.withLock { $0 } }

    private func answer(_ message: OpaquePointer, over connection: OpaquePointer) -> Bool {
        guard g_dbus_message_get_member(message).map({ String(cString: $0) }) == "ShowItems",
            let body = g_dbus_message_get_body(message), let list = g_variant_get_child_value(body, 0)
        else { return false }
        defer { g_variant_unref(list) }
        let shown = (0..<g_variant_n_children(list)).compactMap { index -> String? in
            guard let child = g_variant_get_child_value(list, index) else { return nil }
            defer { g_variant_unref(child) }
            return g_variant_get_string(child, nil).map { String(cString: $0) }
        }
        addresses.withLock { $0 = shown }
        BusService.send(g_dbus_message_new_method_reply(message), over: connection)
        return true
    }
}
