import CGtk
import FoundationEssentials
import GtkSupport
import PhotoPipeline

extension BrowserWindow {
    /// Opens what was open when the program was last closed, at the same place.
    func openLast() {
        if let catalog = preferences.catalog { open(Catalog.Source(argument: catalog)) }
    }

    /// Loads a catalog, off the main thread, and shows it or why it cannot be had.
    func open(_ source: Catalog.Source) {
        // Whoever was asked may still answer.
        guard !isClosed else { return }
        self.source = source
        loading += 1
        let number = loading
        showLoading(source)
        loadingTask?.cancel()
        loadingTask = Task { [weak self] in
            let result: Result<Catalog, Catalog.LoadingError>
            do throws(Catalog.LoadingError) {
                result = .success(try await Catalog.load(from: source))
            } catch {
                result = .failure(error)
            }
            guard let self, number == loading else { return }
            switch result {
            case .success(let catalog):
                keepsPlace = source.text != nil
                if let text = source.text {
                    preferences.opened(text)
                    preferences.save()
                }
                header.showRecent(preferences.recent)
                let place = keepsPlace ? preferences.place : 0
                showPhotos(of: catalog, source.name, at: Photo.ID(min(place, max(0, catalog.count - 1))))
            case .failure(let error): showFailure(source, error)
            }
        }
    }

    /// Lets the user choose a catalog.
    func chooseCatalog(isFolder: Bool) {
        let title = isFolder ? tr("Open a Folder of Photos") : tr("Open a Catalog")
        let action = isFolder ? GTK_FILE_CHOOSER_ACTION_SELECT_FOLDER : GTK_FILE_CHOOSER_ACTION_OPEN
        choose(title, action, tr("_Open")) { [weak self] in self?.open(file: $0) }
    }

    /// Lets the user choose a file, in the desktop's own way.
    ///
    /// - Parameter suggestion: A name, for a file to be written.
    func choose(
        _ title: String, _ action: GtkFileChooserAction, _ accept: String, suggestion: String? = nil,
        _ body: @escaping (OpaquePointer) -> Void
    ) {
        guard chooser == nil,
            let pointer = gtk_file_chooser_native_new(title, cast(window), action, accept, tr("_Cancel"))
        else { return }
        chooser = ObjectReference(owning: pointer)
        if let suggestion { gtk_file_chooser_set_current_name(pointer, suggestion) }
        connect(pointer, "response") { [weak self] (response: Int32) in
            guard let self, !isClosed else { return }
            if response == GTK_RESPONSE_ACCEPT.rawValue, let file = gtk_file_chooser_get_file(pointer) {
                body(file)
                g_object_unref(UnsafeMutableRawPointer(file))
            }
            Drops.rejectAll()
            chooser = nil
        }
        gtk_native_dialog_show(cast(pointer))
    }

    /// Opens what is dropped onto the window.
    func acceptDrops() {
        guard let target = gtk_drop_target_new(cgtk_type_file_list(), GDK_ACTION_COPY) else { return }
        connect(target, "drop") { [weak self] (value: DroppedFiles, _: Double, _: Double) -> Bool in
            // What is being asked is about what is open.
            guard let self, chooser == nil, let file = value.first else { return false }
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
        case .standardInput: tr("Standard input")
        case .address(let address):
            address.path.split(separator: "/").last.map(String.init) ?? address.host ?? address.absoluteString
        }
    }

    /// Where it is, where its name does not tell; empty for what is on this computer.
    var place: String {
        if case .address(let address) = self { address.host ?? "" } else { "" }
    }

    /// What names it another time, from wherever the program is started; nil for what is there only once.
    var text: String? {
        switch self {
        case .path(let path) where path.hasPrefix("/"): path
        case .path(let path): FileManager.default.currentDirectoryPath + "/" + path
        case .standardInput: nil
        case .address(let address): address.absoluteString
        }
    }
}
