import CGtk
import GtkSupport
import PhotoBrowser
import PhotoPipeline

/// The place of a photo's picture: a placeholder, the picture, or a sign that there will be none.
///
/// A picture that replaces another one of the same photo is faded in.
final class ImageFrame {
    /// The widget, of a fixed size.
    let widget = gtk_overlay_new()

    private let pictures = [gtk_picture_new(), gtk_picture_new()]
    private let stack = OpaquePointer(gtk_stack_new())
    /// Which of the two pictures is in front; the other one is faded in when a picture changes.
    private var front = 0
    private var shown: PixelBuffer?
    private var reason: Widget?

    /// - Parameters:
    ///   - width: The width in pixels of the window.
    ///   - height: The height in pixels of the window.
    ///   - hasReason: Whether there is room for words about why there will be no picture.
    init(width: Int32, height: Int32, hasReason: Bool = false) {
        // The size is that of a box behind the stack; a stack by itself would take the width of its pictures.
        guard let stack, let widget, let box = gtk_box_new(GTK_ORIENTATION_VERTICAL, 0) else { return }
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
            gtk_stack_add_named(stack, page == "failed" && hasReason ? makeFailure(image) : image, page)
        }
        gtk_stack_set_transition_duration(stack, 180)
        connect(stack, "notify::transition-running") { [weak self] in self?.letGo() }
        gtk_stack_set_visible_child_name(stack, "placeholder")
        gtk_widget_set_size_request(box, width, height)
        gtk_overlay_set_child(OpaquePointer(widget), box)
        gtk_overlay_add_overlay(OpaquePointer(widget), cast(stack))
        gtk_widget_set_valign(widget, GTK_ALIGN_CENTER)
        gtk_widget_set_overflow(widget, GTK_OVERFLOW_HIDDEN)
        gtk_widget_add_css_class(widget, "photo")
    }

    /// The sign that there will be no picture, and below it, why.
    private func makeFailure(_ image: Widget) -> Widget? {
        guard let reason = gtk_label_new(nil), let box = gtk_box_new(GTK_ORIENTATION_VERTICAL, 6) else { return nil }
        self.reason = reason
        gtk_label_set_wrap(OpaquePointer(reason), 1)
        gtk_label_set_wrap_mode(OpaquePointer(reason), PANGO_WRAP_WORD_CHAR)
        gtk_label_set_lines(OpaquePointer(reason), 3)
        gtk_label_set_ellipsize(OpaquePointer(reason), PANGO_ELLIPSIZE_END)
        gtk_label_set_justify(OpaquePointer(reason), GTK_JUSTIFY_CENTER)
        for style in ["reason", "caption"] { gtk_widget_add_css_class(reason, style) }
        gtk_widget_set_visible(reason, 0)
        for set in [gtk_widget_set_margin_start, gtk_widget_set_margin_end] { set(box, 8) }
        gtk_widget_set_valign(box, GTK_ALIGN_CENTER)
        for child in [image, reason] { gtk_box_append(cast(box), child) }
        return box
    }

    /// Shows a row's picture.
    ///
    /// - Parameters:
    ///   - isSame: Whether the frame showed the same photo before.
    ///   - reason: What is said where there will be none, if there is room for words; nil for nothing.
    func show(_ row: PhotoList.Row, isSame: Bool, reason text: String? = nil) {
        if let reason, let text {
            gtk_label_set_text(OpaquePointer(reason), text)
            gtk_widget_set_tooltip_text(reason, row.trouble?.detail)
        }
        if let reason { gtk_widget_set_visible(reason, text == nil ? 0 : 1) }
        let transition = isSame ? GTK_STACK_TRANSITION_TYPE_CROSSFADE : GTK_STACK_TRANSITION_TYPE_NONE
        guard let picture = row.image else {
            shown = nil
            var page = "placeholder"
            if case .failed = row.state { page = "failed" }
            gtk_stack_set_visible_child_full(stack, page, transition)
            return letGo()
        }
        guard !isSame || shown != picture else { return }
        shown = picture
        front = 1 - front
        if let widget = pictures[front], let texture = ObjectReference(textureOf: picture) {
            gtk_picture_set_paintable(OpaquePointer(widget), texture.pointer)
        }
        gtk_stack_set_visible_child_full(stack, "picture\(front)", transition)
    }

    /// Shows nothing any more.
    func clear() {
        shown = nil
        releasePictures()
    }

    /// Keeps no picture where none is shown; one that fades out stays until it is gone.
    private func letGo() {
        if shown == nil, gtk_stack_get_transition_running(stack) == 0 { releasePictures() }
    }

    private func releasePictures() {
        // The one that has faded out holds one, too.
        for picture in pictures.compactMap({ $0 }) { gtk_picture_set_paintable(OpaquePointer(picture), nil) }
    }
}
