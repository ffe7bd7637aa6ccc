import CGtk
import Glibc
import Transfers

/// Writes the files that the program keeps in the user's folder of settings.
enum SettingsFile {
    /// Writes a file, and makes its folder where that is not there. What there was of the file stays if that fails.
    ///
    /// - Returns: Why the file cannot be written, as the system or GLib says it; nil where it is written.
    static func write(_ file: OpaquePointer, to path: String) -> String? {
        let folder = path.lastSlash.map { String(path[..<$0]) } ?? "."
        guard g_mkdir_with_parents(folder, 0o700) == 0 else { return String(cString: strerror(errno)) }
        var error: UnsafeMutablePointer<GError>?
        defer { g_clear_error(&error) }
        guard g_key_file_save_to_file(file, path, &error) == 0 else { return nil }
        return error.map { String(cString: $0.pointee.message) } ?? path
    }

    /// Puts a text aside that was not understood, for its owner alone, in place of one that was put aside earlier.
    ///
    /// - Returns: Why it cannot be written, as GLib says it; nil where it is written.
    static func keep(_ text: [UInt8], at path: String) -> String? {
        var error: UnsafeMutablePointer<GError>?
        defer { g_clear_error(&error) }
        let isKept = text.withUnsafeBytes { bytes in
            g_file_set_contents_full(
                path, bytes.baseAddress?.assumingMemoryBound(to: CChar.self), gssize(bytes.count),
                G_FILE_SET_CONTENTS_CONSISTENT, 0o600, &error)
        }
        guard isKept == 0 else { return nil }
        return error.map { String(cString: $0.pointee.message) } ?? path
    }
}
