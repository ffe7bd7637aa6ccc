import CGtk
import Glibc
import GtkSupport

/// The desktop's portal for wallpapers, where the desktop has one; it asks the person itself.
@MainActor final class WallpaperPortal {
    /// What came of it.
    enum Answer: Equatable {
        /// The desktop has taken it.
        case accepted
        /// The person did not want it after all.
        case cancelled
        /// The desktop did not take it; with its words, where it has any.
        case refused(String?)
    }

    /// Called when the portal came, or went.
    var onChange: (Bool) -> Void = { _ in }
    /// Whether there is one.
    private(set) var isThere = false { didSet { if isThere != oldValue { onChange(isThere) } } }

    private static let bus = "org.freedesktop.portal.Desktop"
    private static let path = "/org/freedesktop/portal/desktop"
    private static let interface = "org.freedesktop.portal.Wallpaper"
    private var watch: guint = 0
    private var connection: ObjectReference?
    /// What is being asked for.
    private var request: Request?
    /// Whether the window's name is being asked for, which comes first.
    private var isNaming = false

    /// A question that the desktop has not answered yet.
    private struct Request {
        let subscription: guint
        /// The window that the desktop puts its question over.
        let parent: ExportedWindow
        let whenDone: (Answer) -> Void
    }

    /// Begins to look for it.
    init() {
        watch = g_bus_watch_name(
            G_BUS_TYPE_SESSION, Self.bus, G_BUS_NAME_WATCHER_FLAGS_AUTO_START,
            { connection, _, _, portal in WallpaperPortal.of(portal)?.came(connection) },
            { _, _, portal in WallpaperPortal.of(portal)?.went() },
            Unmanaged.passRetained(WeakPortal(self)).toOpaque(),
            { if let portal = $0 { Unmanaged<WeakPortal>.fromOpaque(portal).release() } })
    }

    isolated deinit { g_bus_unwatch_name(watch) }

    private static func of(_ data: gpointer?) -> WallpaperPortal? {
        data.flatMap { Unmanaged<WeakPortal>.fromOpaque($0).takeUnretainedValue().portal }
    }

    /// Has the desktop ask the person whether a picture shall be the wallpaper.
    ///
    /// - Parameters:
    ///   - path: The picture's path.
    ///   - window: The window that the desktop's question is to lie over.
    ///   - whenDone: Called once.
    func set(_ path: String, over window: Widget?, whenDone: @escaping (Answer) -> Void) {
        guard connection != nil, request == nil, !isNaming else { return whenDone(.refused(nil)) }
        isNaming = true
        ExportedWindow.export(window) { [weak self] parent in
            self?.isNaming = false
            guard let self else { return whenDone(.refused(nil)) }
            ask(path, over: parent, whenDone)
        }
    }

    private func ask(_ path: String, over parent: ExportedWindow, _ whenDone: @escaping (Answer) -> Void) {
        // It may have gone meanwhile.
        guard let connection else { return whenDone(.refused(nil)) }
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return whenDone(.refused(SystemReason.text(String(cString: strerror(errno))))) }
        defer { close(file) }
        guard let files = g_unix_fd_list_new(), g_unix_fd_list_append(files, file, nil) == 0 else {
            return whenDone(.refused(nil))
        }
        defer { g_object_unref(UnsafeMutableRawPointer(files)) }
        let token = "classicphotos\(getpid())\(UInt32.random(in: 0 ... .max))"
        request = Request(
            subscription: subscribe(connection.pointer, token), parent: parent, whenDone: whenDone)
        var arguments = [g_variant_new_string(parent.name), g_variant_new_handle(0), Self.options(token)]
        g_dbus_connection_call_with_unix_fd_list(
            connection.pointer, Self.bus, Self.path, Self.interface, "SetWallpaperFile",
            g_variant_new_tuple(&arguments, 3), nil, G_DBUS_CALL_FLAGS_NONE, -1, files, nil,
            { connection, result, portal in
                guard let portal else { return }
                let kept = Unmanaged<WeakPortal>.fromOpaque(portal).takeRetainedValue()
                var error: UnsafeMutablePointer<GError>?
                let reply = g_dbus_connection_call_with_unix_fd_list_finish(
                    connection.map { OpaquePointer($0) }, nil, result, &error)
                if let reply { g_variant_unref(reply) }
                guard let error else { return }
                g_dbus_error_strip_remote_error(error)
                let text = String(cString: error.pointee.message)
                g_error_free(error)
                kept.portal?.end(.refused(text))
            }, Unmanaged.passRetained(WeakPortal(self)).toOpaque())
    }

    // MARK: The bus

    private func came(_ connection: OpaquePointer?) {
        guard let connection else { return }
        self.connection = ObjectReference(connection)
        // A portal has those interfaces that its desktop has parts for.
        var arguments = [g_variant_new_string(Self.interface), g_variant_new_string("version")]
        g_dbus_connection_call(
            connection, Self.bus, Self.path, "org.freedesktop.DBus.Properties", "Get",
            g_variant_new_tuple(&arguments, 2), nil, G_DBUS_CALL_FLAGS_NONE, -1, nil,
            { connection, result, portal in
                guard let portal else { return }
                let kept = Unmanaged<WeakPortal>.fromOpaque(portal).takeRetainedValue()
                let reply = g_dbus_connection_call_finish(connection.map { OpaquePointer($0) }, result, nil)
                if let reply { g_variant_unref(reply) }
                kept.portal?.isThere = reply != nil
            }, Unmanaged.passRetained(WeakPortal(self)).toOpaque())
    }

    private func went() {
        isThere = false
        connection = nil
        request?.whenDone(.refused(nil))
        request = nil
    }

    /// Listens to the answer, which may come before the call has returned.
    private func subscribe(_ connection: OpaquePointer, _ token: String) -> guint {
        let own = g_dbus_connection_get_unique_name(connection).map { String(cString: $0) } ?? ""
        let sender = own.filter { $0 != ":" }.map { $0 == "." ? "_" : $0 }
        return g_dbus_connection_signal_subscribe(
            connection, Self.bus, "org.freedesktop.portal.Request", "Response",
            "\(Self.path)/request/\(String(sender))/\(token)", nil, G_DBUS_SIGNAL_FLAGS_NONE,
            { _, _, _, _, _, answer, portal in
                guard let answer, let code = g_variant_get_child_value(answer, 0) else { return }
                defer { g_variant_unref(code) }
                let answers: [UInt32: Answer] = [0: .accepted, 1: .cancelled]
                WallpaperPortal.of(portal)?.end(answers[g_variant_get_uint32(code)] ?? .refused(nil))
            }, Unmanaged.passRetained(WeakPortal(self)).toOpaque(),
            { if let portal = $0 { Unmanaged<WeakPortal>.fromOpaque(portal).release() } })
    }

    private func end(_ answer: Answer) {
        guard let request else { return }
        self.request = nil
        if let connection { g_dbus_connection_signal_unsubscribe(connection.pointer, request.subscription) }
        request.whenDone(answer)
    }

    /// What the portal is told, beside the picture.
    private static func options(_ token: String) -> OpaquePointer? {
        let options: [(String, OpaquePointer?)] = [
            ("handle_token", g_variant_new_string(token)), ("show-preview", g_variant_new_boolean(1)),
            ("set-on", g_variant_new_string("background")),
        ]
        var entries = options.map { g_variant_new_dict_entry(g_variant_new_string($0), g_variant_new_variant($1)) }
        let type = g_variant_type_new("{sv}")
        defer { g_variant_type_free(type) }
        return g_variant_new_array(type, &entries, gsize(entries.count))
    }
}

/// What calls that come back later know of a portal.
private final class WeakPortal {
    weak var portal: WallpaperPortal?

    init(_ portal: WallpaperPortal) { self.portal = portal }
}
