import CGtk
import GtkSupport

/// Asks what becomes of photos that are being saved or printed when the program is quit.
enum QuitDialog {
    /// What somebody wants.
    enum Answer: String { case goOn, cancelWork }

    /// What is done with photos.
    enum Work {
        case saving, printing, both

        /// nil where nothing is done with them.
        init?(isSaving: Bool, isPrinting: Bool) {
            switch (isSaving, isPrinting) {
            case (true, false): self = .saving
            case (false, true): self = .printing
            case (true, true): self = .both
            case (false, false): return nil
            }
        }

        fileprivate var heading: String {
            switch self {
            case .saving: tr("Photos Are Still Being Saved")
            case .printing: tr("Photos Are Still Being Printed")
            case .both: tr("Photos Are Still Being Saved and Printed")
            }
        }

        fileprivate var text: String {
            switch self {
            case .saving:
                tr("Without a window, the program goes on until they are saved. The next window shows how far that is.")
            case .printing: tr("Without a window, the program goes on until they are printed.")
            case .both:
                tr("Without a window, the program goes on until that is done. The next window shows how far saving is.")
            }
        }

        fileprivate var cancelLabel: String {
            switch self {
            case .saving: tr("Cancel _Saving")
            case .printing: tr("Cancel _Printing")
            case .both: tr("Cancel _Both")
            }
        }
    }

    /// The one that is open.
    private static var isOpen = false

    /// Asks over a window.
    ///
    /// - Parameter action: Called with the answer; not where somebody goes back.
    static func ask(about work: Work, over window: Widget?, _ action: @escaping (Answer) -> Void) {
        guard !isOpen, let dialog = cgtk_message_dialog(cast(window), work.heading, work.text) else { return }
        isOpen = true
        cgtk_message_dialog_add_response(dialog, "back", tr("_Cancel"))
        cgtk_message_dialog_add_response(dialog, Answer.cancelWork.rawValue, work.cancelLabel)
        cgtk_message_dialog_add_response(dialog, Answer.goOn.rawValue, tr("_Go On in the Background"))
        adw_message_dialog_set_response_appearance(
            cast(dialog), Answer.cancelWork.rawValue, ADW_RESPONSE_DESTRUCTIVE)
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
