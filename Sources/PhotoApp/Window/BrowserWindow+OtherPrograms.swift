import CGtk
import Foundation
import GtkSupport
import PhotoBrowser
import PhotoPipeline
import Transfers

/// What other programs get of photos: the files, as they were published.
extension BrowserWindow {
    /// The most photos that other programs get at once: of a million, the addresses alone would keep the window from answering for
    /// many seconds, and most programs for ever.
    private static let mostHandedOn = 10_000

    /// Whether other programs can have a photo, and all that are chosen where it is one of them; says so where these are too many.
    func canHandOn(_ photo: Photo.ID) -> Bool {
        guard viewer.photo == nil, let selection = page?.selection, selection.count > Self.mostHandedOn,
            selection.contains(photo)
        else { return true }
        say(tr("Other programs get {count} photos at most.").filled(["count": Self.mostHandedOn.grouped]))
        return false
    }

    /// Copies photos, for file managers and programs for pictures.
    ///
    /// - Parameter photo: The one whose menu or key was used.
    func copyPhotos(_ photo: Photo.ID) {
        guard let list, canHandOn(photo) else { return }
        let photos = concerned(by: photo)
        let addresses = photos.compactMap { list.address(of: $0) }
        guard !addresses.isEmpty else { return }
        if viewer.photo == photo {
            copyPicture(of: addresses)
        } else {
            OfferedFiles(addresses).copy(from: window)
        }
        say(tr("{count} photo was copied.", "{count} photos were copied.", addresses.count))
    }

    /// Copies what is seen in large, with its look, which is what programs for pictures take: at once as it is seen, and with all of
    /// its pixels when they are there, unless something else was copied meanwhile.
    private func copyPicture(of addresses: [String]) {
        var copied: OfferedFiles?
        viewer.takePicture { [weak self] picture in
            guard let self, !isClosed, copied?.isCopied(from: window) ?? true else { return }
            let files = OfferedFiles(addresses, picture: picture.flatMap { ObjectReference(textureOf: $0) })
            files.copy(from: window)
            copied = files
        }
    }

    /// Has the person choose the program that opens photos of this computer.
    func openWithOther(_ photo: Photo.ID) {
        guard canHandOn(photo) else { return }
        let files = concerned(by: photo).compactMap { list?.path(of: $0) }.compactMap {
            g_file_new_for_path($0).map { ObjectReference(owning: $0) }
        }
        guard let first = files.first,
            let dialog = gtk_app_chooser_dialog_new(cast(window), GTK_DIALOG_MODAL, first.pointer)
        else { return }
        gtk_window_set_destroy_with_parent(cast(dialog), 1)
        if let programs = gtk_app_chooser_dialog_get_widget(OpaquePointer(dialog)) {
            gtk_app_chooser_widget_set_show_default(OpaquePointer(programs), 1)
        }
        connect(dialog, "response") { [weak self] (response: Int32) in
            let chosen =
                response == GTK_RESPONSE_OK.rawValue ? gtk_app_chooser_get_app_info(OpaquePointer(dialog)) : nil
            gtk_window_destroy(cast(dialog))
            guard let chosen else { return }
            defer { g_object_unref(UnsafeMutableRawPointer(chosen)) }
            self?.launch(chosen, files)
        }
        gtk_window_present(cast(dialog))
    }

    private func launch(_ program: OpaquePointer, _ files: [ObjectReference]) {
        var list: UnsafeMutablePointer<GList>?
        for file in files.reversed() { list = g_list_prepend(list, UnsafeMutableRawPointer(file.pointer)) }
        defer { g_list_free(list) }
        let context = gdk_display_get_app_launch_context(gtk_widget_get_display(window))
        defer { if let context { g_object_unref(UnsafeMutableRawPointer(context)) } }
        var error: UnsafeMutablePointer<GError>?
        guard g_app_info_launch(program, list, context.map { cast($0) }, &error) == 0 else { return }
        let reason = error.map { String(cString: $0.pointee.message) } ?? ""
        g_clear_error(&error)
        tell(tr("The Program Cannot Be Started"), reason)
    }

    /// Shows photos of this computer in the file manager.
    func showInFiles(_ photo: Photo.ID) {
        guard canHandOn(photo) else { return }
        let paths = concerned(by: photo).compactMap { list?.path(of: $0) }
        guard let first = paths.first else { return }
        let folder = String(first[..<(first.lastSlash ?? first.endIndex)])
        let showFolder = { [weak self] in
            guard let self, !isClosed, let address = g_filename_to_uri(folder, nil, nil) else { return }
            gtk_show_uri(cast(window), address, UInt32(GDK_CURRENT_TIME))
            g_free(address)
        }
        // File managers that can have the files themselves stand out in their folder.
        guard let bus = g_application_get_dbus_connection(cast(application)) else { return showFolder() }
        var addresses: [OpaquePointer?] = paths.compactMap { path -> OpaquePointer? in
            guard let address = g_filename_to_uri(path, nil, nil) else { return nil }
            defer { g_free(address) }
            return g_variant_new_string(address)
        }
        let type = g_variant_type_new("s")
        defer { g_variant_type_free(type) }
        var arguments = [g_variant_new_array(type, &addresses, gsize(addresses.count)), g_variant_new_string("")]
        let fallback = Unmanaged.passRetained(Fallback(showFolder)).toOpaque()
        g_dbus_connection_call(
            bus, "org.freedesktop.FileManager1", "/org/freedesktop/FileManager1", "org.freedesktop.FileManager1",
            "ShowItems", g_variant_new_tuple(&arguments, 2), nil, G_DBUS_CALL_FLAGS_NONE, -1, nil,
            { connection, result, fallback in
                guard let fallback else { return }
                let kept = Unmanaged<Fallback>.fromOpaque(fallback).takeRetainedValue()
                let reply = g_dbus_connection_call_finish(connection.map { OpaquePointer($0) }, result, nil)
                if let reply { g_variant_unref(reply) } else { kept.body() }
            }, fallback)
    }
}

/// What is done where nobody answers.
private final class Fallback {
    let body: () -> Void

    init(_ body: @escaping () -> Void) { self.body = body }
}

extension PhotoList {
    /// The path of a photo's file; nil where it has none on this computer.
    func path(of photo: Photo.ID) -> String? {
        guard case .success(let request) = request(for: photo, longestSide: nil),
            case .file(let file) = request.address
        else { return nil }
        return file.path
    }
}
