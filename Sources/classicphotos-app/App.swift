import CGtk
import Glibc
import GtkSupport
import PhotoPipeline

/// The program while it runs: GTK's application, and the window.
final class App {
    private let application: OpaquePointer
    private let source: Catalog.Source?
    private var window: BrowserWindow?

    /// - Parameter source: The catalog to begin with; nil to let the user choose.
    init(opening source: Catalog.Source?) {
        self.source = source
        // Each start is a program of its own, with the catalog that it was given.
        let application: UnsafeMutablePointer<AdwApplication> = adw_application_new(
            "org.classicphotos.ClassicPhotos", G_APPLICATION_NON_UNIQUE)
        self.application = OpaquePointer(application)
        connect(self.application, "startup") { [unowned self] in start() }
        connect(self.application, "activate") { [unowned self] in activate() }
    }

    /// Runs until the window is closed.
    ///
    /// - Returns: The exit status.
    func run() -> Int32 {
        g_application_run(cast(application), 0, nil)
    }

    private func start() {
        MainLoop.attachMainQueue()
        RowStyle.install()
        addAction("quit", keys: ["<Control>q", "<Control>w"]) { [unowned self] in
            window?.close()
        }
        addAction("open", keys: ["<Control>o"]) { [unowned self] in window?.chooseCatalog(isFolder: false) }
        addAction("open-folder", keys: ["<Control><Shift>o"]) { [unowned self] in
            window?.chooseCatalog(isFolder: true)
        }
        addAction("retry", keys: ["F5"]) { [unowned self] in window?.retry() }
    }

    private func activate() {
        let window = window ?? BrowserWindow(application: cast(application))
        self.window = window
        window.present()
        if let source { window.open(source) }
    }

    private func addAction(_ name: String, keys: [String], _ body: @escaping () -> Void) {
        guard let action = g_simple_action_new(name, nil) else { return }
        connect(action, "activate") { (_: SignalPointer) in body() }
        g_action_map_add_action(application, action)
        g_object_unref(UnsafeMutableRawPointer(action))
        var accelerators = keys.map { UnsafePointer(strdup($0)) } + [nil]
        gtk_application_set_accels_for_action(cast(application), "app.\(name)", &accelerators)
        for key in accelerators { free(UnsafeMutableRawPointer(mutating: key)) }
    }
}
