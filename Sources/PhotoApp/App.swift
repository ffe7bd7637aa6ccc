import CGLib
import CGtk
import Glibc
import GtkSupport
package import PhotoBrowser
import PhotoPipeline
import Wording

/// The program while it runs: GTK's application, and the window.
package final class App {
    /// What desktops know the program by.
    static let identifier = "org.classicphotos.ClassicPhotos"

    let application: OpaquePointer
    let actions: Actions
    private let request: OpenRequest?
    private let keepsImages: Bool
    private let whenOpen: (BrowserWindow) -> Void
    private var window: BrowserWindow?
    /// The open windows.
    var windows: [BrowserWindow] { [window].compactMap(\.self) }
    /// The window that somebody uses.
    var current: BrowserWindow? { window }

    /// Prepares the process, before anything is shown or said.
    package static func begin() {
        signal(SIGPIPE, SIG_IGN)
        // What a window of up to a million pixels is drawn into is made for each frame, and should not come from the system
        // each time.
        cglib_set_malloc_options(4 * 1_024 * 1_024, Int32(max(2, sysconf(Int32(_SC_NPROCESSORS_ONLN)))))
        Translation.begin(domain: "classicphotos", folder: InstalledFiles.localeFolder)
    }

    /// - Parameters:
    ///   - request: What to begin with; nil for what was open last.
    ///   - keepsImages: Whether pictures may be kept on disk, where the user's preferences say so too. Default: true.
    ///   - whenOpen: Called once, with the window when it is shown. Default: nothing.
    package init(
        opening request: OpenRequest?, keepsImages: Bool = true,
        whenOpen: @escaping (BrowserWindow) -> Void = { _ in }
    ) {
        self.request = request
        self.keepsImages = keepsImages
        self.whenOpen = whenOpen
        // Each start is a program of its own, with the catalog that it was given.
        let application: UnsafeMutablePointer<AdwApplication> = adw_application_new(
            Self.identifier, G_APPLICATION_NON_UNIQUE)
        self.application = OpaquePointer(application)
        actions = Actions(self.application)
        connect(self.application, "startup") { [unowned self] in
            MainLoop.attachMainQueue()
            AppStyle.install()
            Preferences.load().appearance.apply()
            addActions()
        }
        connect(self.application, "activate") { [unowned self] in activate() }
    }

    /// Runs until the window is closed.
    ///
    /// - Returns: The exit status; nil if there is no display to show windows on.
    package func run() -> Int32? {
        gtk_init_check() == 0 ? nil : g_application_run(cast(application), 0, nil)
    }

    /// Closes all windows.
    func closeAll() { window?.close() }

    private func activate() {
        let isNew = window == nil
        let window = window ?? BrowserWindow(application: application, keepsImages: keepsImages)
        self.window = window
        closeWhenTold(window)
        window.present()
        if isNew { whenOpen(window) }
        if let request { window.open(request) } else { window.openLast() }
    }

    /// Closes the window, and so keeps its place, when the session or a shell ends the program; the same signal a second
    /// time ends it as any other, also while the main thread is blocked.
    private func closeWhenTold(_ window: BrowserWindow) {
        for signal in [SIGHUP, SIGINT, SIGTERM] {
            g_unix_signal_add_full(
                G_PRIORITY_DEFAULT, signal,
                { window in
                    if let window { Unmanaged<BrowserWindow>.fromOpaque(window).takeUnretainedValue().close() }
                    return 0
                }, Unmanaged.passUnretained(window).toOpaque(), nil)
            // GLib's handler only wakes the main loop, which may have no time to listen. It is called once; then the
            // system does with the signal what it does by default.
            var handling = sigaction()
            sigaction(signal, nil, &handling)
            handling.sa_flags |= Int32(bitPattern: UInt32(SA_RESETHAND))
            sigaction(signal, &handling, nil)
        }
    }
}
