import CGtk
import Glibc
import GtkSupport

/// Prints pictures that are files, one to a page: as large as the margins allow, and on paper that lies as the picture does.
///
/// The program goes on until all is printed, also without a window.
final class PrintedPhotos {
    /// How it came out.
    enum Outcome: Equatable {
        /// So many pages were given to the printer; a person may want some of them only.
        case printed(pages: Int)
        /// So many pages are in the file of this path.
        case written(pages: Int, to: String)
        /// The person did not want it after all.
        case cancelled
        /// The system says why not.
        case failed(String)
    }

    /// What is being printed, which lives as long.
    private static var underWay: [ObjectIdentifier: PrintedPhotos] = [:]
    /// What the person chose last, for the next time.
    private static var settings: ObjectReference?

    private let files: [String]
    private let application: OpaquePointer
    /// The window that it is printed from: GTK may say something over it at the end.
    private var window: ObjectReference?
    private let operation: ObjectReference
    /// The file that is written without a printer.
    private var exported: String?
    /// Whether the person has said how it is to be printed.
    private var isBegun = false
    /// Whether all pages are drawn. What they make is sent to the printer, or to the file, after that.
    private var isDrawn = false
    private var fault: String?
    private let whenDone: (Outcome) -> Void

    /// - Parameters:
    ///   - files: The paths of JPEG files, at least one.
    ///   - name: What the job is called, and a file that it is printed to.
    ///   - application: The program that prints, which does not end before that is done.
    ///   - whenDone: Called once.
    init?(
        _ files: [String], name: String, by application: OpaquePointer, whenDone: @escaping (Outcome) -> Void
    ) {
        guard !files.isEmpty, let operation = gtk_print_operation_new() else { return nil }
        self.files = files
        self.application = application
        self.operation = ObjectReference(owning: OpaquePointer(operation))
        self.whenDone = whenDone
        gtk_print_operation_set_n_pages(operation, Int32(files.count))
        gtk_print_operation_set_job_name(operation, name)
        gtk_print_operation_set_unit(operation, GTK_UNIT_POINTS)
        gtk_print_operation_set_embed_page_setup(operation, 1)
        gtk_print_operation_set_show_progress(operation, 1)
        gtk_print_operation_set_allow_async(operation, 1)
        guard let settings = Self.settings ?? gtk_print_settings_new().map({ ObjectReference(owning: $0) }) else {
            return nil
        }
        let documents = g_get_user_special_dir(G_USER_DIRECTORY_DOCUMENTS) ?? g_get_home_dir()
        let folder = documents.map { String(cString: $0) } ?? "."
        gtk_print_settings_set(settings.pointer, GTK_PRINT_SETTINGS_OUTPUT_DIR, folder)
        gtk_print_settings_set(
            settings.pointer, GTK_PRINT_SETTINGS_OUTPUT_BASENAME, Self.freeName(name, in: folder))
        // The file of the last time is another one's.
        gtk_print_settings_set(settings.pointer, GTK_PRINT_SETTINGS_OUTPUT_URI, nil)
        gtk_print_operation_set_print_settings(operation, settings.pointer)
        connect(operation, "begin-print") { [weak self] in self?.isBegun = true }
        connect(operation, "request-page-setup") { [weak self] (_: SignalPointer, page: Int32, setup: SignalPointer) in
            self?.lay(Int(page), setup.pointer)
        }
        connect(operation, "draw-page") { [weak self] (context: SignalPointer, page: Int32) in
            if let context = context.pointer { self?.draw(Int(page), context) }
        }
        connect(operation, "done") { [weak self] (result: PrintResult) in self?.end(result.value) }
        connect(operation, "status-changed") { [weak self] in
            if let self, isDrawn { end(GTK_PRINT_OPERATION_RESULT_APPLY) }
        }
    }

    /// What a file may be called that is printed to. The dialog does not ask before it replaces one of the name that it suggests.
    private static func freeName(_ name: String, in folder: String) -> String {
        let file = name.suggestedFileName
        let plain = String(file[..<(file.lastIndex(of: ".") ?? file.endIndex)])
        var (free, number) = (plain, 2)
        while ["pdf", "ps", "svg"].contains(where: { g_file_test("\(folder)/\(free).\($0)", G_FILE_TEST_EXISTS) != 0 })
        {
            free = "\(plain) (\(number))"
            number += 1
        }
        return free
    }

    /// Asks how it is to be printed, over a window, and prints.
    func run(over window: Widget?) {
        self.window = window.map { ObjectReference(OpaquePointer($0)) }
        run(GTK_PRINT_OPERATION_ACTION_PRINT_DIALOG, cast(window))
    }

    /// Writes it to a PDF file, and asks nothing.
    func export(to path: String) {
        exported = path
        gtk_print_operation_set_export_filename(cast(operation.pointer), path)
        run(GTK_PRINT_OPERATION_ACTION_EXPORT, nil)
    }

    private func run(_ action: GtkPrintOperationAction, _ window: UnsafeMutablePointer<GtkWindow>?) {
        Self.underWay[ObjectIdentifier(self)] = self
        g_application_hold(cast(application))
        var error: UnsafeMutablePointer<GError>?
        let result = gtk_print_operation_run(cast(operation.pointer), action, window, &error)
        if let error {
            fault = String(cString: error.pointee.message)
            g_error_free(error)
        }
        // Some faults end it without a word to those who listen.
        if result == GTK_PRINT_OPERATION_RESULT_ERROR { end(result) }
    }

    private func end(_ result: GtkPrintOperationResult) {
        guard Self.underWay[ObjectIdentifier(self)] != nil, let outcome = outcome(of: result) else { return }
        Self.underWay[ObjectIdentifier(self)] = nil
        // GTK is still at work on the operation.
        Task { withExtendedLifetime(self) {} }
        whenDone(outcome)
        g_application_release(cast(application))
    }

    // MARK: The end of windows

    /// Whether there is one that goes on without its window.
    static var outlastWindows: Bool { underWay.values.contains { $0.isBegun } }

    /// Gives up what the printer, or the file, does not have yet.
    static func cancelAll() {
        for printed in underWay.values where !printed.isDrawn {
            gtk_print_operation_cancel(cast(printed.operation.pointer))
        }
    }

    /// Cancels what a person was asked about over a window that is being closed, and has not answered: GTK's dialog would stay.
    static func dismiss(over window: Widget?) {
        let all = gtk_window_get_toplevels()
        let dialogs = (0..<g_list_model_get_n_items(all)).compactMap { index in
            g_list_model_get_item(all, index).map { ObjectReference(owning: OpaquePointer($0)) }
        }.filter { dialog in
            let parent = gtk_window_get_transient_for(cast(dialog.pointer))
            let type = g_type_name(cgtk_instance_type(cast(dialog.pointer))).map { String(cString: $0) }
            return parent != nil && parent == cast(window) && type == "GtkPrintUnixDialog"
        }
        for dialog in dialogs { gtk_window_close(cast(dialog.pointer)) }
    }

    /// How it came out; nil while that is not known.
    private func outcome(of result: GtkPrintOperationResult) -> Outcome? {
        if result == GTK_PRINT_OPERATION_RESULT_ERROR { fault = fault ?? reason }
        if let fault { return .failed(fault) }
        guard result != GTK_PRINT_OPERATION_RESULT_CANCEL else { return .cancelled }
        isDrawn = true
        let operation: UnsafeMutablePointer<GtkPrintOperation> = cast(operation.pointer)
        let settings = gtk_print_operation_get_print_settings(operation)
        if let settings { Self.settings = ObjectReference(settings) }
        return Self.outcome(
            exported == nil ? gtk_print_operation_get_status(operation) : GTK_PRINT_STATUS_FINISHED,
            pages: Int(gtk_print_operation_get_n_pages_to_print(operation)),
            file: exported ?? settings.flatMap { Self.outputFile($0) }, reason: reason)
    }

    /// What became of pages that are drawn.
    ///
    /// - Parameters:
    ///   - status: What GTK says of them.
    ///   - pages: How many they are.
    ///   - file: The path of the file that they are written to; nil for a printer.
    ///   - reason: Why they were not printed, where GTK says that they were not.
    /// - Returns: How it came out; nil while they are on their way.
    static func outcome(
        _ status: GtkPrintStatus, pages: Int, file: String?, reason: @autoclosure () -> String
    ) -> Outcome? {
        switch status {
        case GTK_PRINT_STATUS_SENDING_DATA: return nil
        case GTK_PRINT_STATUS_FINISHED_ABORTED: return .failed(reason())
        case GTK_PRINT_STATUS_FINISHED:
            guard let file else { return .printed(pages: pages) }
            // GTK does not look at errors of closing it.
            var information = stat()
            if stat(file, &information) == 0, information.st_size == 0 {
                return .failed(tr("The file cannot be written"))
            }
            return .written(pages: pages, to: file)
        // Where it goes through a portal of the desktop, GTK says no more of it.
        default: return .printed(pages: pages)
        }
    }

    /// The path of the file that is printed to; nil for a printer, and for files elsewhere.
    private static func outputFile(_ settings: OpaquePointer) -> String? {
        guard let address = gtk_print_settings_get(settings, GTK_PRINT_SETTINGS_OUTPUT_URI),
            let path = g_filename_from_uri(address, nil, nil)
        else { return nil }
        defer { g_free(path) }
        return String(cString: path)
    }

    /// What the system says went wrong.
    private var reason: String {
        var error: UnsafeMutablePointer<GError>?
        gtk_print_operation_get_error(cast(operation.pointer), &error)
        guard let error else { return "" }
        defer { g_error_free(error) }
        return String(cString: error.pointee.message)
    }

    // MARK: Pages

    /// Has the paper of a page lie as its picture does.
    private func lay(_ page: Int, _ setup: OpaquePointer?) {
        var (width, height): (Int32, Int32) = (0, 0)
        gdk_pixbuf_get_file_info(files[page], &width, &height)
        let isWide = width > height
        gtk_page_setup_set_orientation(
            setup, isWide ? GTK_PAGE_ORIENTATION_LANDSCAPE : GTK_PAGE_ORIENTATION_PORTRAIT)
    }

    private func draw(_ page: Int, _ context: OpaquePointer) {
        guard let picture = PrintedPicture(files[page]), let cairo = gtk_print_context_get_cairo_context(context) else {
            fault = tr("The picture could not be loaded")
            return gtk_print_operation_cancel(cast(operation.pointer))
        }
        picture.draw(
            on: cairo, width: gtk_print_context_get_width(context), height: gtk_print_context_get_height(context))
    }
}

/// A JPEG file as cairo draws it.
@MainActor private final class PrintedPicture {
    private let surface: OpaquePointer
    private let size: (width: Double, height: Double)

    init?(_ path: String) {
        guard let texture = gdk_texture_new_from_filename(path, nil) else { return nil }
        defer { g_object_unref(UnsafeMutableRawPointer(texture)) }
        let (width, height) = (gdk_texture_get_width(texture), gdk_texture_get_height(texture))
        guard let surface = cairo_image_surface_create(CAIRO_FORMAT_ARGB32, width, height),
            let pixels = cairo_image_surface_get_data(surface)
        else { return nil }
        self.surface = surface
        size = (Double(width), Double(height))
        gdk_texture_download(texture, pixels, gsize(cairo_image_surface_get_stride(surface)))
        cairo_surface_mark_dirty(surface)
        // Where a file of this kind can be taken as it is, nothing is lost, and what is written is small.
        var (content, length): (UnsafeMutablePointer<CChar>?, gsize) = (nil, 0)
        if g_file_get_contents(path, &content, &length, nil) != 0, let content {
            let bytes = UnsafeMutableRawPointer(content)
            cairo_surface_set_mime_data(
                surface, CAIRO_MIME_TYPE_JPEG, bytes.assumingMemoryBound(to: UInt8.self), UInt(length),
                { g_free($0) }, bytes)
        }
    }

    isolated deinit { cairo_surface_destroy(surface) }

    /// Draws it in the middle, as large as there is room.
    func draw(on cairo: OpaquePointer, width: Double, height: Double) {
        let scale = min(width / size.width, height / size.height)
        cairo_save(cairo)
        cairo_translate(cairo, (width - size.width * scale) / 2, (height - size.height * scale) / 2)
        cairo_scale(cairo, scale, scale)
        cairo_set_source_surface(cairo, surface, 0, 0)
        cairo_paint(cairo)
        cairo_restore(cairo)
    }
}

/// The result that `done` brings.
private struct PrintResult: SignalValue {
    let value: GtkPrintOperationResult

    static func accepts(_ type: GType) -> Bool { type == gtk_print_operation_result_get_type() }

    init(reading value: UnsafePointer<GValue>) {
        self.value = GtkPrintOperationResult(UInt32(bitPattern: g_value_get_enum(value)))
    }
}
