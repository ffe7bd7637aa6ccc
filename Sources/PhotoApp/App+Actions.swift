import CGtk
import GtkSupport

/// What is done to the whole program, from whichever of its windows.
extension App {
    /// Makes known what menus and keys can call.
    func addActions() {
        actions.add("new-window", keys: ["<Control>n"]) { [unowned self] in open() }
        actions.add("preferences", keys: ["<Control>comma"]) { [unowned self] in showPreferences() }
        actions.add("about") { [unowned self] in AboutWindow.show(over: current?.window) }
        actions.add("quit", keys: ["<Control>q"]) { [unowned self] in quit() }
    }

    /// Closes all windows; asks before what becomes of photos that are being saved or printed.
    private func quit() {
        let work = QuitDialog.Work(isSaving: RunningSaves.outlastWindows, isPrinting: PrintedPhotos.outlastWindows)
        guard let work, let current else { return closeAll() }
        QuitDialog.ask(about: work, over: current.window) { [weak self] answer in
            if answer == .cancelWork {
                RunningSaves.cancelAll()
                PrintedPhotos.cancelAll()
            }
            self?.closeAll()
        }
    }

    private func showPreferences() {
        guard let current else { return }
        PreferencesWindow.show(over: current.window, current.preferences, current.diskCache) { [weak self] changed in
            guard let self else { return }
            changed.appearance.apply()
            for window in windows { window.take(changed) }
            self.current?.savePreferences()
        }
    }
}

extension Preferences.Appearance {
    /// Has the program look like this.
    func apply() {
        let scheme =
            switch self {
            case .system: ADW_COLOR_SCHEME_DEFAULT
            case .light: ADW_COLOR_SCHEME_FORCE_LIGHT
            case .dark: ADW_COLOR_SCHEME_FORCE_DARK
            }
        adw_style_manager_set_color_scheme(adw_style_manager_get_default(), scheme)
    }
}
