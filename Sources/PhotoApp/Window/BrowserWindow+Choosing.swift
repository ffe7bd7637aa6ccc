import CGtk
import GtkSupport
import ImageCodecs
import PhotoBrowser
import PhotoPipeline

extension BrowserWindow {
    /// Lets the user choose what to open.
    func chooseCatalog(isFolder: Bool) {
        let title = isFolder ? tr("Open a Folder of Photos") : tr("Open Photos or a Catalog")
        let action = isFolder ? GTK_FILE_CHOOSER_ACTION_SELECT_FOLDER : GTK_FILE_CHOOSER_ACTION_OPEN
        let chooser = choose(title, action, tr("_Open")) { [weak self] in self?.open(files: $0) }
        guard !isFolder, let chooser else { return }
        gtk_file_chooser_set_select_multiple(chooser, 1)
        addFilters(to: chooser)
    }

    /// Lets the user choose files, in the desktop's own way.
    ///
    /// - Parameters:
    ///   - suggestion: A name, for a file to be written.
    ///   - dialog: The window that asks for it; the browser's own by default.
    /// - Returns: The file chooser; nil where one is open already.
    @discardableResult
    func choose(
        _ title: String, _ action: GtkFileChooserAction, _ accept: String, suggestion: String? = nil,
        over dialog: Widget? = nil, _ body: @escaping ([OpaquePointer]) -> Void
    ) -> OpaquePointer? {
        guard chooser == nil,
            let pointer = gtk_file_chooser_native_new(title, cast(dialog ?? window), action, accept, tr("_Cancel"))
        else { return nil }
        // What is asked is about what is open.
        gtk_native_dialog_set_modal(cast(pointer), 1)
        chooser = ObjectReference(owning: pointer)
        if let suggestion { gtk_file_chooser_set_current_name(pointer, suggestion) }
        connect(pointer, "response") { [weak self] (response: Int32) in
            guard let self, !isClosed else { return }
            if response == GTK_RESPONSE_ACCEPT.rawValue, let files = gtk_file_chooser_get_files(pointer) {
                let chosen = (0..<g_list_model_get_n_items(files)).compactMap { index in
                    g_list_model_get_item(files, index).map { ObjectReference(owning: OpaquePointer($0)) }
                }
                g_object_unref(UnsafeMutableRawPointer(files))
                // The optimiser lets go of an array as soon as it is read, and some of these files nobody else keeps.
                withExtendedLifetime(chosen) { if !chosen.isEmpty { body(chosen.map(\.pointer)) } }
            }
            Drops.rejectAll(over: window)
            chooser = nil
        }
        gtk_native_dialog_show(cast(pointer))
        return pointer
    }

    private func addFilters(to chooser: OpaquePointer) {
        guard let known = gtk_file_filter_new(), let all = gtk_file_filter_new() else { return }
        gtk_file_filter_set_name(known, tr("Pictures and Catalogs"))
        for type in ImageFormat.allCases.flatMap(\.mediaTypes) { gtk_file_filter_add_mime_type(known, type) }
        // As people call the formats that catalogs come in; what a catalog is, its content tells.
        for ending in ["csv", "tsv", "json", "plist", "txt", "list"] { gtk_file_filter_add_suffix(known, ending) }
        gtk_file_filter_set_name(all, tr("All Files"))
        gtk_file_filter_add_pattern(all, "*")
        for filter in [known, all] {
            gtk_file_chooser_add_filter(chooser, filter)
            g_object_unref(UnsafeMutableRawPointer(filter))
        }
    }

    /// Opens what is dropped onto the window.
    func acceptDrops() {
        guard let target = gtk_drop_target_new(cgtk_type_file_list(), GDK_ACTION_COPY) else { return }
        connect(target, "drop") { [weak self] (value: DroppedFiles, _: Double, _: Double) -> Bool in
            // What is being asked is about what is open.
            guard let self, chooser == nil else { return false }
            // What was dragged out of this window is open already.
            let drop = gtk_drop_target_get_current_drop(target)
            guard drop.map({ gdk_drop_get_drag($0) == nil }) ?? true else { return false }
            return open(files: value.files)
        }
        gtk_widget_add_controller(window, target)
    }

    @discardableResult
    private func open(files: [OpaquePointer]) -> Bool {
        guard let request = OpenRequest(arguments: files.compactMap { argument(for: $0) }) else {
            if !files.isEmpty { say(CatalogError.notTogether.sentence) }
            return false
        }
        open(request)
        return true
    }
}

/// What names a file on a command line: its path where the desktop has one for it, otherwise its address. Bytes of it that are not
/// UTF-8 become U+FFFD, see ``/Catalogs/CatalogError/nameNotUTF8(path:)``.
package func argument(for file: OpaquePointer) -> String? {
    guard let text = g_file_get_path(file) ?? g_file_get_uri(file) else { return nil }
    defer { g_free(text) }
    return String(cString: text)
}

/// The files that a drop brings; valid during the call.
private struct DroppedFiles: SignalValue {
    let files: [OpaquePointer]

    static func accepts(_ type: GType) -> Bool { type == g_value_get_type() }

    init(reading value: UnsafePointer<GValue>) {
        let inner = g_value_get_boxed(value)?.assumingMemoryBound(to: GValue.self)
        guard let inner, let boxed = g_value_get_boxed(inner) else {
            files = []
            return
        }
        let list = gdk_file_list_get_files(OpaquePointer(boxed))
        files = sequence(first: list, next: { $0?.pointee.next }).compactMap {
            $0?.pointee.data.map(OpaquePointer.init)
        }
        g_slist_free(list)
    }
}
