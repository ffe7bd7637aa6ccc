import CGtk
import FoundationEssentials
import GtkSupport
import PhotoPipeline

extension BrowserWindow {
    /// Loads a catalog, off the main thread, and shows it or why it cannot be had.
    func open(_ source: Catalog.Source) {
        self.source = source
        loading += 1
        let number = loading
        showLoading(source.name)
        Task { [weak self] in
            let result: Result<Catalog, Catalog.LoadingError>
            do throws(Catalog.LoadingError) {
                result = .success(try await Catalog.load(from: source))
            } catch {
                result = .failure(error)
            }
            guard let self, number == loading else { return }
            switch result {
            case .success(let catalog): showPhotos(of: catalog, source.name)
            case .failure(let error): showFailure(source.name, error)
            }
        }
    }

    /// Lets the user choose a catalog.
    func chooseCatalog(isFolder: Bool) {
        let title = isFolder ? "Open a Folder of Photos" : "Open a Catalog"
        let action = isFolder ? GTK_FILE_CHOOSER_ACTION_SELECT_FOLDER : GTK_FILE_CHOOSER_ACTION_OPEN
        guard chooser == nil, let pointer = gtk_file_chooser_native_new(title, cast(window), action, "_Open", "_Cancel")
        else { return }
        chooser = ObjectReference(owning: pointer)
        connect(pointer, "response") { [weak self] (response: Int32) in
            if response == GTK_RESPONSE_ACCEPT.rawValue, let file = gtk_file_chooser_get_file(pointer) {
                self?.open(file: file)
                g_object_unref(UnsafeMutableRawPointer(file))
            }
            self?.chooser = nil
        }
        gtk_native_dialog_show(cast(pointer))
    }

    /// Opens what is dropped onto the window.
    func acceptDrops() {
        guard let target = gtk_drop_target_new(cgtk_type_file_list(), GDK_ACTION_COPY) else { return }
        connect(target, "drop") { [weak self] (value: DroppedFiles, _: Double, _: Double) -> Bool in
            guard let self, let file = value.first else { return false }
            return open(file: file)
        }
        gtk_widget_add_controller(window, target)
    }

    @discardableResult
    private func open(file: OpaquePointer) -> Bool {
        let text = g_file_get_path(file) ?? g_file_get_uri(file)
        guard let text else { return false }
        defer { g_free(text) }
        open(Catalog.Source(argument: String(cString: text)))
        return true
    }
}

/// The files that a drop brings; valid during the call.
private struct DroppedFiles: SignalValue {
    let first: OpaquePointer?

    static func accepts(_ type: GType) -> Bool { type == g_value_get_type() }

    init(reading value: UnsafePointer<GValue>) {
        let inner = g_value_get_boxed(value)?.assumingMemoryBound(to: GValue.self)
        guard let inner, let files = g_value_get_boxed(inner) else {
            first = nil
            return
        }
        let list = gdk_file_list_get_files(OpaquePointer(files))
        first = list.flatMap { $0.pointee.data }.map { OpaquePointer($0) }
        g_slist_free(list)
    }
}

extension Catalog.Source {
    /// What a window calls it.
    var name: String {
        switch self {
        case .path(let path): path.split(separator: "/").last.map(String.init) ?? path
        case .standardInput: "Standard input"
        case .address(let address): address.absoluteString
        }
    }
}
