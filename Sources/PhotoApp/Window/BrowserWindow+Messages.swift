import CGtk
import GtkSupport

/// What the window says.
extension BrowserWindow {
    /// Says something in passing; below the photos where a toast has no room for all of it, until it is dismissed, something else is said
    /// in passing, looks change, or other photos are opened.
    ///
    /// - Parameter button: What can be done about it, and the action that does it.
    func say(_ text: String, button: (label: String, action: String)? = nil) {
        // What ends after the window finds nothing to say it on.
        guard !isClosed, let toasts else { return }
        forgetPassing()
        guard Toast.hasRoom(for: text, button?.label, in: window) else {
            passing = sayLasting(text, button: button)
            return
        }
        adw_toast_overlay_add_toast(OpaquePointer(toasts), Toast.make(text, button))
    }

    /// What was said in passing below the photos is no longer true.
    func forgetPassing() {
        if let passing { saves.remove(passing) }
        passing = nil
    }

    /// Says something below the photos until it is dismissed.
    ///
    /// - Parameter button: What can be done about it, and the action that does it.
    /// - Returns: What is said, for when it is no longer true; nil where the window is closed.
    @discardableResult
    func sayLasting(_ text: String, button: (label: String, action: String)? = nil) -> Notice? {
        guard !isClosed else { return nil }
        weak var said: Notice?
        var actions: [(label: String, body: () -> Void)] = []
        if let button {
            actions.append(
                (
                    button.label,
                    { [unowned self] in
                        if let said { saves.remove(said) }
                        gtk_widget_activate_action_variant(window, button.action, nil)
                    }
                ))
        }
        let notice = Notice(text, actions)
        said = notice
        saves.add(notice)
        return notice
    }
}
