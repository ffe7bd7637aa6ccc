import CGtk
import Glibc
import GtkSupport
import PhotoBrowser
import PhotoPipeline

/// The program while it runs: GTK's application, and the window.
final class App {
    /// What desktops know the program by.
    static let identifier = "org.classicphotos.ClassicPhotos"

    private let application: OpaquePointer
    private let request: OpenRequest?
    private let measured: LoadingStrategy?
    private var benchmark: ScrollBenchmark?
    private let soaking: Soak.Options?
    private var soak: Soak?
    private var window: BrowserWindow?

    /// - Parameters:
    ///   - request: What to begin with; nil for what was open last.
    ///   - measured: The strategy to measure scrolling with; nil to leave it to the user.
    ///   - soaking: How to use the program at random; nil to leave it to the user.
    init(
        opening request: OpenRequest?, measuring measured: LoadingStrategy? = nil, soaking: Soak.Options? = nil
    ) {
        self.request = request
        self.measured = measured
        self.soaking = soaking
        // Each start is a program of its own, with the catalog that it was given.
        let application: UnsafeMutablePointer<AdwApplication> = adw_application_new(
            Self.identifier, G_APPLICATION_NON_UNIQUE)
        self.application = OpaquePointer(application)
        connect(self.application, "startup") {
            MainLoop.attachMainQueue()
            AppStyle.install()
        }
        connect(self.application, "activate") { [unowned self] in activate() }
    }

    /// Runs until the window is closed.
    ///
    /// - Returns: The exit status.
    func run() -> Int32 {
        g_application_run(cast(application), 0, nil)
    }

    private func activate() {
        let window = window ?? BrowserWindow(application: application, keepsPictures: measured == nil)
        self.window = window
        closeWhenTold(window)
        window.present()
        if let measured, benchmark == nil {
            benchmark = ScrollBenchmark(window, strategy: measured)
            benchmark?.start()
        }
        if let soaking, soak == nil {
            soak = Soak(window, soaking)
            soak?.start()
        }
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
