public import CGtk

/// A window as programs of the desktop know it: the portals want to know over which one they are to put their dialogs.
@MainActor public final class ExportedWindow {
    /// The window's name, as portals take it: `x11:` and a number, `wayland:` and a handle, or nothing where it has none.
    public let name: String
    /// Of a window that a Wayland compositor has named, which is told when nobody needs the name any more.
    private let surface: ObjectReference?

    private init(_ name: String, _ surface: ObjectReference?) {
        (self.name, self.surface) = (name, surface)
    }

    isolated deinit {
        if let surface { cgtk_unexport_handle(surface.pointer) }
    }

    /// Finds a window's name out. A Wayland compositor takes its time for it.
    ///
    /// - Parameters:
    ///   - window: Nil for one without a name.
    ///   - whenNamed: Called once, at once or later. The name holds for as long as somebody keeps what is given.
    public static func export(
        _ window: UnsafeMutablePointer<GtkWidget>?, whenNamed: @escaping (ExportedWindow) -> Void
    ) {
        guard let window, gtk_widget_get_realized(window) != 0,
            let surface = gtk_native_get_surface(OpaquePointer(window))
        else { return whenNamed(ExportedWindow("", nil)) }
        let number = cgtk_xid(surface)
        if number != 0 { return whenNamed(ExportedWindow("x11:" + String(number, radix: 16), nil)) }
        let question = Question(surface, whenNamed)
        let isAsked = cgtk_export_handle(
            surface,
            { _, handle, question in
                guard let handle, let question else { return }
                Unmanaged<Question>.fromOpaque(question).takeUnretainedValue().answer(String(cString: handle))
            }, Unmanaged.passRetained(question).toOpaque(),
            {
                // The window may go before it has a name.
                if let question = $0 { Unmanaged<Question>.fromOpaque(question).takeRetainedValue().answer(nil) }
            })
        guard isAsked == 0 else { return }
        question.answer(nil)
        Unmanaged.passUnretained(question).release()
    }

    /// What a Wayland compositor has not answered yet.
    private final class Question {
        private let surface: ObjectReference
        private var whenNamed: ((ExportedWindow) -> Void)?

        init(_ surface: OpaquePointer, _ whenNamed: @escaping (ExportedWindow) -> Void) {
            (self.surface, self.whenNamed) = (ObjectReference(surface), whenNamed)
        }

        /// - Parameter handle: Nil where there is none.
        func answer(_ handle: String?) {
            guard let body = whenNamed else { return }
            whenNamed = nil
            body(handle.map { ExportedWindow("wayland:" + $0, surface) } ?? ExportedWindow("", nil))
        }
    }
}
