import CGtk

/// A key file of GLib's, for as long as this is there.
final class KeyFile {
    let pointer: OpaquePointer

    /// One in which nothing is.
    init?() {
        guard let file = g_key_file_new() else { return nil }
        pointer = file
    }

    /// One of a text; nil where GLib does not understand it.
    convenience init?(_ text: [UInt8]) {
        self.init()
        let isRead = text.withUnsafeBytes { bytes in
            g_key_file_load_from_data(
                pointer, bytes.baseAddress?.assumingMemoryBound(to: CChar.self), gsize(bytes.count), G_KEY_FILE_NONE,
                nil)
        }
        guard text.isEmpty || isRead != 0 else { return nil }
    }

    isolated deinit { g_key_file_unref(pointer) }

    /// The lines of a text that are understood by themselves; what is before the first heading belongs to a group.
    static func lines(understoodOf text: [UInt8], in group: String) -> KeyFile? {
        let heading = Array("[\(group)]\n".utf8)
        let lines = text.split(separator: UInt8(ascii: "\n")).filter { KeyFile(heading + $0) != nil }
        return KeyFile(heading + lines.joined(separator: [UInt8(ascii: "\n")]))
    }
}
