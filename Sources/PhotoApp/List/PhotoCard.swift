import CGtk
import GtkSupport
import PhotoBrowser
import PhotoPipeline

/// A photo in the grid: the picture, and below it the name and the state.
final class PhotoCard: PhotoItem {
    let widget = gtk_box_new(GTK_ORIENTATION_VERTICAL, 6)
    private(set) var photo: Photo.ID?

    private let frame: ImageFrame
    private let texts = PhotoTexts(xalign: 0.5, keepsLines: true)
    private let spinner = gtk_spinner_new()
    private let retryButton = gtk_button_new_from_icon_name("view-refresh-symbolic")

    /// - Parameters:
    ///   - size: How large the picture is. Default: medium.
    ///   - onRetry: Called when the user wants to try the shown photo again.
    init(_ size: ThumbnailSize = .medium, onRetry: @escaping (Photo.ID) -> Void) {
        frame = ImageFrame(width: size.card.width, height: size.card.height, hasReason: true)
        guard let widget, let overlay = frame.widget, let spinner, let retryButton else { return }
        gtk_widget_add_css_class(widget, "photo-card")
        gtk_widget_set_halign(widget, GTK_ALIGN_CENTER)
        gtk_widget_set_size_request(texts.widget, size.card.width, -1)
        gtk_widget_set_halign(overlay, GTK_ALIGN_CENTER)
        // About ten pixels each.
        texts.limit(toCharacters: size.card.width / 10)
        for corner in [spinner, retryButton] {
            gtk_widget_set_halign(corner, GTK_ALIGN_END)
            gtk_widget_set_valign(corner, GTK_ALIGN_START)
            gtk_overlay_add_overlay(OpaquePointer(overlay), corner)
        }
        gtk_widget_add_css_class(spinner, "on-photo")
        gtk_widget_add_css_class(retryButton, "on-photo")
        gtk_widget_add_css_class(retryButton, "circular")
        gtk_widget_set_tooltip_text(retryButton, tr("Try again"))
        gtk_box_append(cast(widget), overlay)
        gtk_box_append(cast(widget), texts.widget)
        connect(retryButton, "clicked") { [weak self] in
            if let photo = self?.photo { onRetry(photo) }
        }
    }

    func show(_ row: PhotoList.Row, isPaused: Bool) {
        let isSame = photo == row.id
        photo = row.id
        let state = row.text(isPaused: isPaused)
        var hasFailed = false
        if case .failed = row.state { hasFailed = true }
        // In the place of the picture there is room for the whole reason.
        frame.show(row, isSame: isSame, reason: hasFailed ? state : nil)
        texts.show(row, hasFailed ? "" : row.seenText(isPaused: isPaused))
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
