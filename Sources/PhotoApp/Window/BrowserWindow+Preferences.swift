import CGtk
import GtkSupport

extension BrowserWindow {
    /// Whether somebody has been told that preferences cannot be kept, in any window.
    private static var isProblemKnown = false

    /// Keeps the preferences, and says once in the program that they cannot be kept.
    func savePreferences() {
        guard let problem = preferences.save() else {
            Self.isProblemKnown = false
            return
        }
        guard !Self.isProblemKnown else { return }
        let text = tr("Preferences cannot be kept: {reason}.").filled(["reason": SystemReason.text(problem)])
        // A window that is closed says nothing; then another one may.
        Self.isProblemKnown = say(text, isLasting: true) != nil
    }
}
