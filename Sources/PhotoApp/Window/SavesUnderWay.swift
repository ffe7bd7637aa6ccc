import CGtk
import GtkSupport

/// Counts the photos that are being saved, and keeps the program running as long, also without a window.
final class SavesUnderWay {
    private let application: OpaquePointer
    private(set) var count = 0

    init(_ application: OpaquePointer) {
        self.application = application
    }

    /// A photo is being saved from now on.
    func begin() {
        count += 1
        g_application_hold(cast(application))
    }

    /// One of them is written, or will not be.
    func end() {
        count -= 1
        g_application_release(cast(application))
    }
}
