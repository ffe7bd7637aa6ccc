import CGtk
import GtkSupport

extension BrowserWindow {
    /// Whether somebody has been told that preferences cannot be kept, in any window.
    private static var isProblemKnown = false

    /// Says what is wrong with the file of the preferences; parts that cannot be understood are put aside.
    func checkPreferences() {
        if preferences.isFaulty { savePreferences() }
    }

    /// Keeps the preferences, and says once in the program that they cannot be kept.
    func savePreferences() {
        switch preferences.save() {
        case .kept: Self.isProblemKnown = false
        case .mended(let copy):
            Self.isProblemKnown = false
            let text = tr("Parts of the preferences cannot be understood. The file as it was is kept as “{path}”.")
            sayLasting(text.filled(["path": copy]))
        case .failed(let problem):
            guard !Self.isProblemKnown else { return }
            let reason = SystemReason.text(problem, isAboutWriting: true)
            let text = tr("Preferences cannot be kept: {reason}.").filled(["reason": reason])
            // A window that is closed says nothing; then another one may.
            Self.isProblemKnown = sayLasting(text) != nil
        }
    }
}
