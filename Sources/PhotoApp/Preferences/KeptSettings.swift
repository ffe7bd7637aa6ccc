import CGtk

/// What there is of a file of the program's settings. That there is none is another thing than one that cannot be read.
enum KeptSettings {
    case none
    /// All of it is understood.
    case whole(KeyFile)
    /// A part of it is not understood: the rest, and the text as it is.
    case damaged(KeyFile, text: [UInt8])
    /// It cannot be read: why, as GLib says it.
    case unreadable(String)

    /// Reads a file.
    ///
    /// - Parameter group: What lines belong to that are below no heading.
    static func read(_ path: String, group: String) -> KeptSettings {
        var (contents, length): (UnsafeMutablePointer<CChar>?, gsize) = (nil, 0)
        var error: UnsafeMutablePointer<GError>?
        defer {
            g_clear_error(&error)
            g_free(contents)
        }
        guard g_file_get_contents(path, &contents, &length, &error) != 0 else {
            if let error, g_error_matches(error, g_file_error_quark(), gint(G_FILE_ERROR_NOENT.rawValue)) != 0 {
                return .none
            }
            return .unreadable(error.map { String(cString: $0.pointee.message) } ?? path)
        }
        let text = [UInt8](UnsafeRawBufferPointer(start: contents, count: Int(length)))
        if let file = KeyFile(text) { return .whole(file) }
        return KeyFile.lines(understoodOf: text, in: group).map { .damaged($0, text: text) } ?? .unreadable(path)
    }

    /// Whether it is there, and not all of it is understood.
    var isFaulty: Bool {
        switch self {
        case .none, .whole: false
        case .damaged, .unreadable: true
        }
    }

    /// What is understood of it; nil where there is nothing, or nothing can be read.
    var file: KeyFile? {
        switch self {
        case .whole(let file), .damaged(let file, _): file
        case .none, .unreadable: nil
        }
    }
}
