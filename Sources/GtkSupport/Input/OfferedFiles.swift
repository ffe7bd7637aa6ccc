public import CGtk

/// Files that other programs can take, from the clipboard or by drag and drop.
@MainActor public struct OfferedFiles: SignalResult {
    private let provider: ObjectReference?
    /// What ``provider`` keeps. What makes it safe: it never changes, and signals are answered on the thread that draws.
    private nonisolated(unsafe) let content: UnsafeMutableRawPointer?

    /// Nothing.
    public init() { self.init(keeping: nil) }

    private init(keeping provider: ObjectReference?) {
        self.provider = provider
        content = provider.map { UnsafeMutableRawPointer($0.pointer) }
    }

    /// Offers files as files, and their paths and addresses as text, a line each.
    ///
    /// - Parameters:
    ///   - addresses: Their paths and addresses.
    ///   - picture: What programs for pictures take in place of a file; nil where there is no such thing. Default: nil.
    public init(_ addresses: [String], picture: ObjectReference? = nil) {
        guard !addresses.isEmpty else {
            self.init()
            return
        }
        var list: UnsafeMutablePointer<GSList>?
        var lines: [String] = []
        for address in addresses {
            guard let file = g_file_new_for_commandline_arg(address) else { continue }
            list = g_slist_prepend(list, UnsafeMutableRawPointer(file))
            // Desktops give what is elsewhere a path, too, by which few programs can have it.
            let path = g_file_is_native(file) != 0 ? g_file_get_path(file) : nil
            defer { g_free(path) }
            lines.append(path.map { String(cString: $0) } ?? address)
        }
        list = g_slist_reverse(list)
        defer { g_slist_free_full(list) { g_object_unref($0) } }
        // What comes first is what texts get; of a list of files GTK would make one line.
        var text = GValue()
        g_value_init(&text, cgtk_fundamental_string())
        g_value_set_string(&text, lines.joined(separator: "\n"))
        var files = GValue()
        g_value_init(&files, cgtk_type_file_list())
        g_value_take_boxed(&files, gdk_file_list_new_from_list(list).map { UnsafeMutableRawPointer($0) })
        var parts = [gdk_content_provider_new_for_value(&text), gdk_content_provider_new_for_value(&files)]
        g_value_unset(&text)
        g_value_unset(&files)
        if let picture {
            var texture = GValue()
            g_value_init(&texture, gdk_texture_get_type())
            g_value_set_object(&texture, UnsafeMutableRawPointer(picture.pointer))
            parts.append(gdk_content_provider_new_for_value(&texture))
            g_value_unset(&texture)
        }
        // It takes them over.
        let whole = gdk_content_provider_new_union(&parts, gsize(parts.count))
        self.init(keeping: whole.map { ObjectReference(owning: OpaquePointer($0)) })
    }

    /// Puts them on the clipboard of a widget's display.
    public func copy(from widget: UnsafeMutablePointer<GtkWidget>?) {
        guard let widget, let provider else { return }
        gdk_clipboard_set_content(gtk_widget_get_clipboard(widget), cast(provider.pointer))
    }

    /// Whether they are what the clipboard of a widget's display has.
    public func isCopied(from widget: UnsafeMutablePointer<GtkWidget>?) -> Bool {
        guard let widget, let provider else { return false }
        return gdk_clipboard_get_content(gtk_widget_get_clipboard(widget)).map { OpaquePointer($0) } == provider.pointer
    }

    /// Answers who asks what is dragged.
    public nonisolated func write(to value: UnsafeMutablePointer<GValue>?) {
        if let value, let content { g_value_set_object(value, content) }
    }
}
