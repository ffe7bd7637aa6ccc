import CGtk
import GtkSupport

/// Asks what becomes of photos that are being saved when the program is quit.
enum QuitDialog {
    /// What somebody wants.
    enum Answer: String { case goOn, cancelSaving }

    /// The one that is open.
    private static var isOpen = false

    /// Asks over a window.
    ///
    /// - Parameter action: Called with the answer; not where somebody goes back.
    static func ask(over window: Widget?, _ action: @escaping (Answer) -> Void) {
        guard !isOpen,
            let dialog = cgtk_message_dialog(
                cast(window), tr("Photos Are Still Being Saved"),
                tr("Without a window, the program goes on until they are saved. The next window shows how far that is.")
            )
        else { return }
        isOpen = true
        cgtk_message_dialog_add_response(dialog, "back", tr("_Cancel"))
        cgtk_message_dialog_add_response(dialog, Answer.cancelSaving.rawValue, tr("Cancel _Saving"))
        cgtk_message_dialog_add_response(dialog, Answer.goOn.rawValue, tr("_Go On in the Background"))
        adw_message_dialog_set_response_appearance(
            cast(dialog), Answer.cancelSaving.rawValue, ADW_RESPONSE_DESTRUCTIVE)
        adw_message_dialog_set_response_appearance(cast(dialog), Answer.goOn.rawValue, ADW_RESPONSE_SUGGESTED)
        adw_message_dialog_set_close_response(cast(dialog), "back")
        adw_message_dialog_set_default_response(cast(dialog), Answer.goOn.rawValue)
        connect(dialog, "response") { (response: String) in
            guard let answer = Answer(rawValue: response) else { return }
            // The dialog goes with its window, and libadwaita still uses it here.
            Task { action(answer) }
        }
        connect(dialog, "destroy") { isOpen = false }
        gtk_window_present(cast(dialog))
    }
}
