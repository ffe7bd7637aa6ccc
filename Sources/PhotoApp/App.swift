import CGLib
import CGtk
import Glibc
import GtkSupport
package import PhotoBrowser
import PhotoPipeline
import Transfers
import Wording

/// The program while it runs: GTK's application, and its windows.
///
/// It is there once in a session: a second start has the first one open a window, and ends. Where there is no message bus each start is
/// a program of its own.
package final class App {
    /// What desktops know the program by.
    static let identifier = "org.classicphotos.ClassicPhotos"

    let application: OpaquePointer
    let actions: Actions
    /// The open windows, the one first that was used last.
    private(set) var windows: [BrowserWindow] = []
    private let request: OpenRequest?
    private let keepsImages: Bool
    private let whenOpen: (BrowserWindow) -> Void
    /// What was downloaded, on disk, for all windows; nil where there is no place for it.
    private lazy var diskCache = DiskCache.standardFolder.map {
        DiskCache(folder: $0, limit: Preferences.load().keptBytes)
    }
    /// The signals that close the windows.
    private var watched: Set<Int32> = []

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
    ///   - isUnique: Whether a program that runs already opens it. Default: true.
    ///   - keepsImages: Whether pictures may be kept on disk, where the user's preferences say so too. Default: true.
    ///   - whenOpen: Called once, with the first window when it is shown. Default: nothing.
    package init(
        opening request: OpenRequest?, isUnique: Bool = true, keepsImages: Bool = true,
        whenOpen: @escaping (BrowserWindow) -> Void = { _ in }
    ) {
        self.request = request
        self.keepsImages = keepsImages
        self.whenOpen = whenOpen
        let flags = G_APPLICATION_HANDLES_COMMAND_LINE.rawValue | (isUnique ? 0 : G_APPLICATION_NON_UNIQUE.rawValue)
        let application: UnsafeMutablePointer<AdwApplication> = adw_application_new(
            Self.identifier, GApplicationFlags(flags))
        self.application = OpaquePointer(application)
        actions = Actions(self.application)
        connect(self.application, "startup") { [unowned self] in
            MainLoop.attachMainQueue()
            AppStyle.install()
            Preferences.load().appearance.apply()
            addActions()
        }
        connect(self.application, "command-line") { [unowned self] (line: SignalPointer) -> Int32 in
            line.pointer.map { begin($0) } ?? 0
        }
    }

    /// Runs until the last window is closed, or until the program that runs already has opened what was asked for.
    ///
    /// - Returns: The exit status; nil if there is no display to show windows on.
    package func run() -> Int32? {
        guard gtk_init_check() != 0 else { return nil }
        // For the program that may run already, and has another current directory.
        let words = [CommandLine.arguments.first ?? "classicphotos-app"] + (request?.arguments ?? [])
        var arguments = words.map { strdup($0) } + [nil]
        defer { for argument in arguments { free(argument) } }
        register()
        defer { FinishedPhotos.removeAll() }
        return g_application_run(cast(application), Int32(words.count), &arguments)
    }

    /// Takes the program's name on the message bus, or finds the program that has it.
    ///
    /// A program that has closed its windows has the name for another moment, and answers nobody. Where that lasts, this start is a
    /// program of its own.
    private func register() {
        let end = ContinuousClock.now + .seconds(2)
        while g_application_register(cast(application), nil, nil) == 0 {
            guard ContinuousClock.now < end else {
                let flags = g_application_get_flags(cast(application)).rawValue
                g_application_set_flags(
                    cast(application), GApplicationFlags(flags | G_APPLICATION_NON_UNIQUE.rawValue))
                return
            }
            usleep(100_000)
        }
    }

    /// Opens what this start of the program was asked for, or another one.
    ///
    /// - Returns: The exit status of that other one.
    private func begin(_ line: OpaquePointer) -> Int32 {
        guard g_application_command_line_get_is_remote(cast(line)) != 0 else {
            let window = open()
            whenOpen(window)
            if let request { window.open(request) } else { window.openLast() }
            return 0
        }
        let arguments = PassedCommandLine(line)
        guard !arguments.operands.isEmpty else {
            // Somebody wants to see the program.
            if let current { current.present() } else { open().openLast() }
            return 0
        }
        guard let request = arguments.request else { return 1 }
        open().open(request)
        return 0
    }

    // MARK: Windows

    /// The window that somebody uses.
    var current: BrowserWindow? { windows.first }

    /// Opens a window that shows nothing yet.
    @discardableResult
    func open() -> BrowserWindow {
        // It looks like the one that is there.
        current?.savePreferences()
        let window = BrowserWindow(
            application: application, diskCache: diskCache, keepsImages: keepsImages)
        windows.insert(window, at: 0)
        window.onUse = { [unowned self, unowned window] in
            windows = [window] + windows.filter { $0 !== window }
        }
        window.onOpen = { [unowned self, unowned window] in
            for other in windows where other !== window { other.showRecent() }
        }
        window.onLooksChanged = { [unowned self, unowned window] in
            for other in windows where other !== window { other.applyLooks() }
        }
        window.onEnd = { [unowned self, unowned window] in forget(window) }
        closeWhenTold()
        window.saves.adopt()
        window.present()
        window.checkPreferences()
        return window
    }

    /// Lets go of a window that is closed, once its widgets are gone. Another one shows what it was saving.
    private func forget(_ window: BrowserWindow) {
        windows.removeAll { $0 === window }
        current?.saves.adopt()
        Task { withExtendedLifetime(window) {} }
    }

    /// Closes all windows, the one last that was used last: the next start shows what it shows.
    func closeAll() {
        // Those that say what has come of the saves of windows that were closed before; a dialog goes with its window.
        let others = sequence(first: gtk_application_get_windows(cast(application)), next: { $0?.pointee.next })
            .compactMap { $0?.pointee.data.map { ObjectReference(OpaquePointer($0)) } }
            .filter { other in
                gtk_window_get_transient_for(cast(other.pointer)) == nil
                    && !windows.contains { $0.window.map { OpaquePointer($0) } == other.pointer }
            }
        for window in windows.reversed() { window.close() }
        for other in others { gtk_window_close(cast(other.pointer)) }
    }

    /// Closes the windows, and so keeps their places, when the session or a shell ends the program; the same signal a second
    /// time ends it as any other, also while the main thread is blocked.
    private func closeWhenTold() {
        for signal in ProcessSignals.notIgnored([SIGHUP, SIGINT, SIGTERM]) where watched.insert(signal).inserted {
            let told = Unmanaged.passRetained(Told(self, signal))
            g_unix_signal_add_full(
                G_PRIORITY_DEFAULT, signal,
                { told in
                    if let told { Unmanaged<Told>.fromOpaque(told).takeUnretainedValue().act() }
                    return 0
                }, told.toOpaque(), { told in if let told { Unmanaged<Told>.fromOpaque(told).release() } })
            // GLib's handler only wakes the main loop, which may have no time to listen. It is called once; then the
            // system does with the signal what it does by default.
            var handling = sigaction()
            sigaction(signal, nil, &handling)
            handling.sa_flags |= Int32(bitPattern: UInt32(SA_RESETHAND))
            sigaction(signal, &handling, nil)
        }
    }

    /// What is done at a signal.
    private final class Told {
        private unowned let app: App
        private let signal: Int32

        init(_ app: App, _ signal: Int32) {
            self.app = app
            self.signal = signal
        }

        func act() {
            // A window that is opened later is closed by it again.
            app.watched.remove(signal)
            app.closeAll()
        }
    }
}
