import CGtk
import GtkSupport
import PhotoBrowser
import PhotoPipeline

/// Says how many photos failed, and offers to try them again.
final class FailureBar {
    let widget = gtk_info_bar_new()
    private let label = gtk_label_new(nil)
    private var retry: Widget?

    init(onRetry: @escaping () -> Void) {
        guard let widget, let label else { return }
        gtk_info_bar_set_message_type(OpaquePointer(widget), GTK_MESSAGE_WARNING)
        gtk_label_set_xalign(OpaquePointer(label), 0)
        gtk_label_set_wrap(OpaquePointer(label), 1)
        gtk_widget_set_hexpand(label, 1)
        gtk_widget_set_margin_start(label, 8)
        gtk_info_bar_add_child(OpaquePointer(widget), label)
        retry = gtk_info_bar_add_button(OpaquePointer(widget), tr("_Try Again"), 1)
        gtk_info_bar_set_revealed(OpaquePointer(widget), 0)
        connect(widget, "response") { (_: Int32) in onRetry() }
    }

    /// Says what is the matter with a list; nothing where nothing failed.
    ///
    /// - Parameter visible: The photos on screen; where none of them can be had, it is not the photos' fault.
    func show(_ list: PhotoList?, visible: [Photo.ID]) {
        guard let widget, let label else { return }
        let failed = list?.failedCount ?? 0
        if let list, failed > 0 {
            let errors = visible.prefix(24).compactMap { photo -> PhotoError? in
                if case .failed(let error) = list[photo].state { error } else { nil }
            }
            let isAway =
                !visible.isEmpty && errors.count == min(24, visible.count)
                && errors.allSatisfy { [.unreachable, .timeout].contains($0.reason) && !$0.isUntrusted }
            let count = tr("{count} photo failed.", "{count} photos failed.", failed)
            gtk_label_set_text(
                OpaquePointer(label), isAway ? tr("The server cannot be reached.") + " " + count : count)
        }
        gtk_widget_set_visible(retry, list?.canRetry ?? false ? 1 : 0)
        gtk_info_bar_set_revealed(OpaquePointer(widget), failed > 0 ? 1 : 0)
    }
}
