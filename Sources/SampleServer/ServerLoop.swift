import CSoup
import Dispatch
import Foundation

/// A server of libsoup's and the thread that it has to itself, which goes on whatever the other threads do.
///
/// `@unchecked Sendable`: the pointers never change. They are used by who makes it until `start()`, and by the server's thread from
/// then on; `stop()` uses the context from any thread, and only for attaching a source, which GLib locks.
final class ServerLoop: @unchecked Sendable {
    private let context: OpaquePointer
    private let loop: OpaquePointer
    private let server: UnsafeMutablePointer<SoupServer>
    private let ended = DispatchSemaphore(value: 0)

    /// Has a server listen on a free port of 127.0.0.1.
    ///
    /// - Parameter answer: Called on the server's thread with each request and its path.
    /// - Throws: ``ThrottledServer/ListeningError``.
    init(answer: @escaping (OpaquePointer, String) -> Void) throws(ThrottledServer.ListeningError) {
        context = g_main_context_new()
        loop = g_main_loop_new(context, 0)
        server = csoup_new_server()
        let handler = Unmanaged.passRetained(Handler(answer: answer)).toOpaque()
        soup_server_add_handler(
            server, nil,
            { _, message, path, _, handler in
                guard let message, let path, let handler else { return }
                Unmanaged<Handler>.fromOpaque(handler).takeUnretainedValue().answer(message, String(cString: path))
            }, handler, { if let handler = $0 { Unmanaged<Handler>.fromOpaque(handler).release() } })
        // The sockets belong to the context that is the thread's own when they are made.
        g_main_context_push_thread_default(context)
        defer { g_main_context_pop_thread_default(context) }
        var error: UnsafeMutablePointer<GError>?
        guard soup_server_listen_local(server, 0, SOUP_SERVER_LISTEN_IPV4_ONLY, &error) != 0 else {
            defer { g_error_free(error) }
            free()
            throw ThrottledServer.ListeningError(detail: error.map { String(cString: $0.pointee.message) } ?? "")
        }
    }

    /// The port that it listens on.
    var port: Int {
        guard let addresses = soup_server_get_uris(server) else { return 0 }
        defer { g_slist_free_full(addresses) { g_uri_unref($0.map { OpaquePointer($0) }) } }
        return addresses.pointee.data.map { Int(g_uri_get_port(OpaquePointer($0))) } ?? 0
    }

    /// Begins to answer.
    func start() {
        let thread = Thread { [self] in
            g_main_context_push_thread_default(context)
            g_main_loop_run(loop)
            soup_server_disconnect(server)
            // What was under way hears of it.
            while g_main_context_iteration(context, 0) != 0 {}
            g_main_context_pop_thread_default(context)
            free()
            ended.signal()
        }
        thread.name = "sample-server"
        thread.start()
    }

    /// Ends all answers, and waits for the end of the thread.
    func stop() {
        // The loop may not run yet, and would not know that it was told to quit; a source waits for it.
        let source = g_idle_source_new()
        let quit: GSourceFunc = { loop in
            g_main_loop_quit(loop.map { OpaquePointer($0) })
            return 0
        }
        g_source_set_callback(source, quit, UnsafeMutableRawPointer(loop), nil)
        g_source_attach(source, context)
        g_source_unref(source)
        ended.wait()
    }

    private func free() {
        g_object_unref(server)
        g_main_loop_unref(loop)
        g_main_context_unref(context)
    }
}

private final class Handler {
    let answer: (OpaquePointer, String) -> Void

    init(answer: @escaping (OpaquePointer, String) -> Void) {
        self.answer = answer
    }
}
