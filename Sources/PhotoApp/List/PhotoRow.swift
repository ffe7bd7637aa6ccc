import CGtk
import GtkSupport
import PhotoBrowser
import PhotoPipeline

/// A photo in the list: picture, name, state, spinner and retry.
final class PhotoRow: PhotoItem {
    /// Rows are as wide as the window, but what is in them stays together where that is wide.
    let widget = adw_clamp_new()
    private(set) var photo: Photo.ID?

    private static let mostWidth: Int32 = 960
    private let frame: ImageFrame
    private let texts = PhotoTexts(xalign: 0, keepsLines: false)
    private let spinner = gtk_spinner_new()
    private let retryButton = gtk_button_new_from_icon_name("view-refresh-symbolic")

    /// - Parameters:
    ///   - size: How large the picture is. Default: medium.
    ///   - onRetry: Called when the user wants to try the shown photo again.
    init(_ size: ThumbnailSize = .medium, onRetry: @escaping (Photo.ID) -> Void) {
        frame = ImageFrame(width: size.row.width, height: size.row.height)
        gtk_widget_set_valign(spinner, GTK_ALIGN_CENTER)
        guard let widget, let retryButton, let spinner, let box = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 12) else {
            return
        }
        adw_clamp_set_maximum_size(OpaquePointer(widget), Self.mostWidth)
        adw_clamp_set_tightening_threshold(OpaquePointer(widget), Self.mostWidth)
        adw_clamp_set_child(OpaquePointer(widget), box)
        gtk_widget_add_css_class(box, "photo-row")
        gtk_widget_set_valign(retryButton, GTK_ALIGN_CENTER)
        gtk_widget_add_css_class(retryButton, "flat")
        gtk_widget_add_css_class(retryButton, "circular")
        gtk_widget_set_tooltip_text(retryButton, tr("Try again"))
        gtk_widget_set_hexpand(texts.widget, 1)
        gtk_widget_set_valign(texts.widget, GTK_ALIGN_CENTER)
        for child in [frame.widget, texts.widget, spinner, retryButton] { gtk_box_append(cast(box), child) }
        connect(retryButton, "clicked") { [weak self] in
            if let photo = self?.photo { onRetry(photo) }
        }
    }

    func show(_ row: PhotoList.Row, isPaused: Bool) {
        let isSame = photo == row.id
        photo = row.id
        frame.show(row, isSame: isSame)
        let state = row.text(isPaused: isPaused)
        texts.show(row, row.seenText(isPaused: isPaused))
        gtk_widget_set_visible(retryButton, row.canRetry ? 1 : 0)
        if row.canRetry {
            cgtk_set_accessible_label(retryButton, tr("Try again: {name}").filled(["name": row.name]))
        }
        let isBusy = row.state.isWorking
        gtk_widget_set_visible(spinner, isBusy ? 1 : 0)
        if let spinner { gtk_spinner_set_spinning(OpaquePointer(spinner), isBusy ? 1 : 0) }
        nameCell(row, state)
    }

    func clear() {
        photo = nil
        frame.clear()
        if let spinner { gtk_spinner_set_spinning(OpaquePointer(spinner), 0) }
    }
}
