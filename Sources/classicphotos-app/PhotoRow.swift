import CGtk
import GtkSupport
import PhotoBrowser
import PhotoPipeline

/// A recycled row: picture, name, state, spinner and retry.
final class PhotoRow {
    /// The row's widget.
    let widget = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 12)
    /// The photo that is shown at present.
    private(set) var photo: Photo.ID?

    private let pictures = [gtk_picture_new(), gtk_picture_new()]
    private let stack = OpaquePointer(gtk_stack_new())
    private let name = gtk_label_new(nil)
    private let state = gtk_label_new(nil)
    private let spinner = gtk_spinner_new()
    private let retryButton = gtk_button_new_from_icon_name("view-refresh-symbolic")
    /// Which of the two pictures is in front; the other one is faded in when a picture changes.
    private var front = 0
    private var shown: PixelBuffer?

    /// - Parameter onRetry: Called when the user wants to try the shown photo again.
    init(onRetry: @escaping (Photo.ID) -> Void) {
        makePicture()
        makeTexts()
        gtk_widget_set_valign(spinner, GTK_ALIGN_CENTER)
        gtk_widget_set_valign(retryButton, GTK_ALIGN_CENTER)
        gtk_widget_add_css_class(retryButton, "flat")
        gtk_widget_add_css_class(retryButton, "circular")
        gtk_widget_set_tooltip_text(retryButton, "Try again")
        guard let widget, let retryButton, let spinner else { return }
        gtk_box_append(cast(widget), spinner)
        gtk_box_append(cast(widget), retryButton)
        for (set, margin) in [
            (gtk_widget_set_margin_start, 12), (gtk_widget_set_margin_end, 12), (gtk_widget_set_margin_top, 6),
            (gtk_widget_set_margin_bottom, 6),
        ] as [(@convention(c) (UnsafeMutablePointer<GtkWidget>?, Int32) -> Void, Int32)] {
            set(widget, margin)
        }
        connect(retryButton, "clicked") { [weak self] in
            if let photo = self?.photo { onRetry(photo) }
        }
    }

    /// Shows a row's content; what the widget showed of another photo is gone at once.
    func show(_ row: PhotoList.Row, isPaused: Bool) {
        let isSame = photo == row.id
        photo = row.id
        showPicture(row, fades: isSame)
        let text = row.state.text(isPaused: isPaused)
        set(name, row.name)
        set(state, text)
        var hasFailed = false
        if case .failed = row.state { hasFailed = true }
        if hasFailed {
            gtk_widget_add_css_class(state, "reason")
            gtk_widget_remove_css_class(state, "dim-label")
        } else {
            gtk_widget_add_css_class(state, "dim-label")
            gtk_widget_remove_css_class(state, "reason")
        }
        gtk_widget_set_visible(retryButton, hasFailed ? 1 : 0)
        let isBusy = !row.state.isStable
        gtk_widget_set_visible(spinner, isBusy ? 1 : 0)
        if let spinner { gtk_spinner_set_spinning(OpaquePointer(spinner), isBusy ? 1 : 0) }
        if let widget, let cell = gtk_widget_get_parent(widget) {
            cgtk_set_accessible_label(cell, "\(row.name), \(text)")
        }
    }

    /// Shows nothing any more.
    func clear() {
        photo = nil
        shown = nil
        for picture in pictures.compactMap({ $0 }) { gtk_picture_set_paintable(OpaquePointer(picture), nil) }
        if let spinner { gtk_spinner_set_spinning(OpaquePointer(spinner), 0) }
    }

    // MARK: Parts

    private func showPicture(_ row: PhotoList.Row, fades: Bool) {
        let transition = fades ? GTK_STACK_TRANSITION_TYPE_CROSSFADE : GTK_STACK_TRANSITION_TYPE_NONE
        guard let picture = row.picture else {
            shown = nil
            if case .failed = row.state {
                gtk_stack_set_visible_child_full(stack, "failed", transition)
            } else {
                gtk_stack_set_visible_child_full(stack, "placeholder", transition)
            }
            return
        }
        guard !fades || shown != picture else { return }
        shown = picture
        front = 1 - front
        if let widget = pictures[front], let texture = ObjectReference(textureOf: picture) {
            gtk_picture_set_paintable(OpaquePointer(widget), texture.pointer)
        }
        gtk_stack_set_visible_child_full(stack, "picture\(front)", transition)
    }

    private func makePicture() {
        // The size is that of a box behind the stack; a stack by itself would take the width of its pictures.
        guard let stack, let widget, let overlay = gtk_overlay_new(),
            let box = gtk_box_new(GTK_ORIENTATION_VERTICAL, 0)
        else { return }
        for (index, picture) in pictures.enumerated() {
            guard let picture else { continue }
            gtk_picture_set_content_fit(OpaquePointer(picture), GTK_CONTENT_FIT_COVER)
            gtk_picture_set_can_shrink(OpaquePointer(picture), 1)
            gtk_stack_add_named(stack, picture, "picture\(index)")
        }
        for (page, icon) in [("placeholder", "image-x-generic-symbolic"), ("failed", "dialog-warning-symbolic")] {
            guard let image = gtk_image_new_from_icon_name(icon) else { continue }
            gtk_image_set_pixel_size(OpaquePointer(image), 32)
            gtk_widget_add_css_class(image, page == "failed" ? "reason" : "placeholder")
            gtk_stack_add_named(stack, image, page)
        }
        gtk_stack_set_transition_duration(stack, 180)
        gtk_stack_set_visible_child_name(stack, "placeholder")
        gtk_widget_set_size_request(box, RowStyle.pictureWidth, RowStyle.pictureHeight)
        gtk_overlay_set_child(OpaquePointer(overlay), box)
        gtk_overlay_add_overlay(OpaquePointer(overlay), cast(stack))
        gtk_widget_set_valign(overlay, GTK_ALIGN_CENTER)
        gtk_widget_set_overflow(overlay, GTK_OVERFLOW_HIDDEN)
        gtk_widget_add_css_class(overlay, "photo")
        gtk_box_append(cast(widget), overlay)
    }

    private func makeTexts() {
        guard let widget, let texts = gtk_box_new(GTK_ORIENTATION_VERTICAL, 3) else { return }
        gtk_widget_set_hexpand(texts, 1)
        gtk_widget_set_valign(texts, GTK_ALIGN_CENTER)
        for (label, style) in [(name, "heading"), (state, "caption")] {
            guard let label else { continue }
            gtk_label_set_xalign(OpaquePointer(label), 0)
            gtk_label_set_ellipsize(OpaquePointer(label), PANGO_ELLIPSIZE_END)
            gtk_label_set_single_line_mode(OpaquePointer(label), 1)
            gtk_widget_add_css_class(label, style)
            gtk_widget_set_has_tooltip(label, 1)
            connect(label, "query-tooltip") { (_: Int32, _: Int32, _: Bool, tooltip: SignalPointer) -> Bool in
                // Only what does not fit has to be shown elsewhere.
                guard pango_layout_is_ellipsized(gtk_label_get_layout(OpaquePointer(label))) != 0 else { return false }
                gtk_tooltip_set_text(tooltip.pointer, gtk_label_get_text(OpaquePointer(label)))
                return true
            }
            gtk_box_append(cast(texts), label)
        }
        gtk_box_append(cast(widget), texts)
    }

    private func set(_ label: UnsafeMutablePointer<GtkWidget>?, _ text: String) {
        if let label { gtk_label_set_text(OpaquePointer(label), text) }
    }
}
