import CGtk
import GtkSupport
import Operations
import PhotoBrowser
import PhotoPipeline

/// The window in which somebody writes a look of their own, and sees at once what it does to a photo.
///
/// What is wrong in the text is underlined, and said below it.
final class LookEditor {
    /// What somebody did.
    enum Outcome {
        case keep(SavedLooks.Entry)
        case remove
    }

    private let dialog = gtk_window_new()
    private let name = gtk_entry_new()
    private let filter = gtk_text_view_new()
    private let message = gtk_label_new(nil)
    private let picture = gtk_picture_new()
    private let save = gtk_button_new_with_mnemonic(tr("_Save"))
    /// Marks what is wrong.
    private let error = cgtk_new_error_tag().map { ObjectReference(owning: OpaquePointer($0)) }
    private let old: SavedLooks.Entry?
    private let image: ScaledImage?
    private let onEnd: (Outcome) -> Bool
    /// What was written when the window was opened.
    private var beginning = (name: "", text: "")
    /// Makes the preview.
    private let queue = OperationQueue()

    private static let previewSide = 480

    /// Shows it.
    ///
    /// - Parameters:
    ///   - old: The look to change; nil for a new one.
    ///   - text: The filters that a new one begins with.
    ///   - image: What is shown with the look; nil for nothing.
    ///   - onEnd: Does what was decided, and says whether that went well; otherwise the window stays.
    static func show(
        over window: Widget?, _ old: SavedLooks.Entry?, beginningWith text: String, image: ScaledImage?,
        onEnd: @escaping (Outcome) -> Bool
    ) {
        let editor = LookEditor(old, image, onEnd)
        // The window keeps it, and lets it go when it is closed.
        var kept: LookEditor? = editor
        if let dialog = editor.dialog {
            connect(dialog, "destroy") {
                kept?.queue.cancelAllOperations()
                kept = nil
            }
        }
        editor.make(over: window, text: old?.text ?? text)
    }

    private init(_ old: SavedLooks.Entry?, _ image: ScaledImage?, _ onEnd: @escaping (Outcome) -> Bool) {
        (self.old, self.image, self.onEnd) = (old, image, onEnd)
        queue.name = "Look queue"
        queue.maxConcurrentOperationCount = 1
    }

    private func make(over window: Widget?, text: String) {
        guard let dialog, let name, let buffer, let box = gtk_box_new(GTK_ORIENTATION_VERTICAL, 6) else { return }
        gtk_window_set_title(cast(dialog), old == nil ? tr("New Look") : tr("Edit Look"))
        gtk_window_set_default_size(cast(dialog), 480, 560)
        gtk_window_set_transient_for(cast(dialog), cast(window))
        gtk_window_set_modal(cast(dialog), 1)
        gtk_window_set_destroy_with_parent(cast(dialog), 1)
        gtk_window_set_titlebar(cast(dialog), makeHeader())
        if let error { gtk_text_tag_table_add(gtk_text_buffer_get_tag_table(buffer), cast(error.pointer)) }
        gtk_editable_set_text(OpaquePointer(name), old?.name ?? "")
        gtk_text_buffer_set_text(buffer, text, -1)
        for part in [makePicture(), makeName(), makeFilter(), message] { gtk_box_append(cast(box), part) }
        gtk_widget_add_css_class(box, "look-editor")
        gtk_window_set_child(cast(dialog), box)
        connect(name, "changed") { [weak self] in self?.check() }
        connect(OpaquePointer(buffer), "changed") { [weak self] in self?.check() }
        beginning = (writtenName, writtenText)
        connect(dialog, "close-request") { [weak self] () -> Bool in self?.askBeforeLoss() ?? false }
        closeByEscape(dialog)
        check()
        gtk_window_present(cast(dialog))
        gtk_widget_grab_focus(name)
    }

    private var buffer: UnsafeMutablePointer<GtkTextBuffer>? { gtk_text_view_get_buffer(cast(filter)) }

    // MARK: Parts

    private func makeHeader() -> Widget? {
        guard let header = adw_header_bar_new(), let save else { return nil }
        gtk_widget_add_css_class(save, "suggested-action")
        connect(save, "clicked") { [weak self] in
            if let self, let entry = written { end(.keep(entry)) }
        }
        adw_header_bar_pack_end(OpaquePointer(header), save)
        if old != nil, let remove = gtk_button_new_with_mnemonic(tr("_Delete")) {
            gtk_widget_add_css_class(remove, "destructive-action")
            connect(remove, "clicked") { [weak self] in self?.end(.remove) }
            adw_header_bar_pack_start(OpaquePointer(header), remove)
        }
        return header
    }

    private func makePicture() -> Widget? {
        guard let picture else { return nil }
        gtk_widget_set_vexpand(picture, 1)
        gtk_widget_set_visible(picture, image == nil ? 0 : 1)
        gtk_widget_set_size_request(picture, -1, 180)
        cgtk_set_accessible_label(picture, tr("Preview"))
        return picture
    }

    private func makeName() -> Widget? {
        guard let name else { return nil }
        gtk_entry_set_placeholder_text(cast(name), tr("Name"))
        gtk_entry_set_max_length(cast(name), 60)
        cgtk_set_accessible_label(name, tr("Name"))
        return name
    }

    private func makeFilter() -> Widget? {
        guard let filter, let scrolled = gtk_scrolled_window_new() else { return nil }
        gtk_text_view_set_monospace(cast(filter), 1)
        gtk_text_view_set_wrap_mode(cast(filter), GTK_WRAP_WORD_CHAR)
        gtk_text_view_set_accepts_tab(cast(filter), 0)
        cgtk_set_accessible_label(filter, tr("Filters, as in CSS"))
        gtk_scrolled_window_set_min_content_height(OpaquePointer(scrolled), 96)
        gtk_scrolled_window_set_child(OpaquePointer(scrolled), filter)
        gtk_widget_add_css_class(scrolled, "card")
        gtk_widget_set_overflow(scrolled, GTK_OVERFLOW_HIDDEN)
        gtk_label_set_wrap(OpaquePointer(message), 1)
        gtk_label_set_xalign(OpaquePointer(message), 0)
        // Its place is there also when there is little to say.
        gtk_widget_set_size_request(message, -1, 48)
        gtk_widget_set_valign(message, GTK_ALIGN_START)
        return scrolled
    }

    // MARK: What is written

    private var writtenName: String {
        let text = name.flatMap { gtk_editable_get_text(OpaquePointer($0)) }.map { String(cString: $0) } ?? ""
        return String(text.drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
    }

    private var writtenText: String {
        guard let buffer else { return "" }
        var (start, end) = (GtkTextIter(), GtkTextIter())
        gtk_text_buffer_get_bounds(buffer, &start, &end)
        guard let text = gtk_text_buffer_get_text(buffer, &start, &end, 0) else { return "" }
        defer { g_free(text) }
        return String(cString: text)
    }

    /// What would be kept; nil where something is missing or wrong.
    private var written: SavedLooks.Entry? {
        let entry = SavedLooks.Entry(name: writtenName, text: writtenText)
        let isFree = entry.name == old?.name || !LookChoice.isTaken(entry.name)
        return !entry.name.isEmpty && isFree && entry.filter != nil ? entry : nil
    }

    /// Looks at what is written, and shows it.
    private func check() {
        let text = writtenText
        mark(nil, in: text)
        do throws(FilterSyntaxError) {
            preview(try FilterChain(parsing: text))
            say(nameProblem ?? "", isProblem: nameProblem != nil && !writtenName.isEmpty)
        } catch {
            mark(error, in: text)
            say(error.filled(in: tr(error.template)), isProblem: true)
        }
        gtk_widget_set_sensitive(save, written == nil ? 0 : 1)
    }

    private var nameProblem: String? {
        if writtenName.isEmpty { return tr("The look needs a name.") }
        guard writtenName != old?.name, LookChoice.isTaken(writtenName) else { return nil }
        return tr("There is another look with this name.")
    }

    private func say(_ text: String, isProblem: Bool) {
        gtk_label_set_text(OpaquePointer(message), text)
        if isProblem {
            gtk_widget_add_css_class(message, "error")
        } else {
            gtk_widget_remove_css_class(message, "error")
        }
    }

    /// Underlines the word at which the text is wrong; nil for none.
    private func mark(_ problem: FilterSyntaxError?, in text: String) {
        guard let buffer, let error else { return }
        let tag: UnsafeMutablePointer<GtkTextTag> = cast(error.pointer)
        var (start, end) = (GtkTextIter(), GtkTextIter())
        gtk_text_buffer_get_bounds(buffer, &start, &end)
        gtk_text_buffer_remove_tag(buffer, tag, &start, &end)
        guard let problem else { return }
        let range = Self.marked(problem.offset, in: text)
        gtk_text_buffer_get_iter_at_offset(buffer, &start, Int32(range.lowerBound))
        gtk_text_buffer_get_iter_at_offset(buffer, &end, Int32(range.upperBound))
        gtk_text_buffer_apply_tag(buffer, tag, &start, &end)
    }

    /// The word that begins at a byte, as GTK counts characters; the last character where the text ends too early.
    static func marked(_ offset: Int, in text: String) -> Range<Int> {
        let bytes = text.utf8
        let place = bytes.index(bytes.startIndex, offsetBy: min(offset, bytes.count))
        let start = text.unicodeScalars[..<place].count
        let word = text.unicodeScalars[place...].prefix { !$0.properties.isWhitespace && $0 != "(" && $0 != ")" }
        let length = max(1, word.count)
        let count = text.unicodeScalars.count
        return start < count ? start..<min(start + length, count) : max(0, count - 1)..<count
    }

    // MARK: The preview

    private func preview(_ chain: FilterChain) {
        guard let image else { return }
        let side = Self.previewSide
        queue.cancelAllOperations()
        queue.addOperation { [weak self] in
            let result = PhotoLook(chain).applied(to: image.reduced(to: side))
            // The main queue is the main actor's.
            OperationQueue.main.addOperation { MainActor.assumeIsolated { self?.show(result) } }
        }
    }

    private func show(_ result: PixelBuffer?) {
        guard let result, let texture = ObjectReference(textureOf: result) else { return }
        gtk_picture_set_paintable(OpaquePointer(picture), texture.pointer)
    }

    /// Asks whether what was written may be lost, where it is not what the window began with.
    ///
    /// - Returns: Whether that was asked; the window stays then.
    private func askBeforeLoss() -> Bool {
        guard (writtenName, writtenText) != beginning else { return false }
        MessageDialog.ask(
            over: dialog, tr("Discard the Changes?"), tr("What you have changed here is not kept."),
            losingBy: tr("_Discard")
        ) { [weak self] in
            // The question is over this window, and has to be closed first.
            Task { if let self { gtk_window_destroy(cast(self.dialog)) } }
        }
        return true
    }

    private func end(_ outcome: Outcome) {
        if onEnd(outcome) { gtk_window_destroy(cast(dialog)) }
    }
}
