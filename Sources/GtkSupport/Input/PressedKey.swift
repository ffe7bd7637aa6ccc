public import CGtk

/// A key that was pressed, by what it stands for.
///
/// Commands are letters and digits of ASCII. A keyboard for Russian has others at their places, and one for Vietnamese has letters at the
/// places of digits.
@MainActor public struct PressedKey {
    /// What it stands for, as GDK's `GDK_KEY_…`: first what it writes. Where that is a character outside ASCII, what the same key writes in
    /// the person's other layouts or with modifiers follows, and then what an American keyboard has there, if no key of the person's
    /// writes that. All are in lower case: Caps Lock changes no command.
    public let meanings: [Int32]

    /// - Parameters:
    ///   - keyval: What it writes, as the signal `key-pressed` says.
    ///   - code: The number of its place, as the same signal says.
    public init(_ keyval: guint, code: guint) {
        let own = Int32(bitPattern: gdk_keyval_to_lower(keyval))
        meanings = [own] + (gdk_keyval_to_unicode(keyval) > 0x7F ? Self.others(code) : [])
    }

    /// Whether it stands for a key, which is given in lower case.
    public func means(_ key: Int32) -> Bool { meanings.contains(key) }

    private static func others(_ code: guint) -> [Int32] {
        guard let display = gdk_display_get_default() else { return [] }
        var keyvals: UnsafeMutablePointer<guint>?
        var count: Int32 = 0
        gdk_display_map_keycode(display, code, nil, &keyvals, &count)
        defer { g_free(keyvals) }
        let known = UnsafeBufferPointer(start: keyvals, count: Int(count)).map { gdk_keyval_to_lower($0) }
        let inASCII = known.filter { (0x21...0x7E).contains($0) }
        let american = american(code).filter { !isWritten($0, on: display) }
        return (inASCII + american).map { Int32(bitPattern: $0) }
    }

    /// Whether any key of the person's writes a character.
    private static func isWritten(_ keyval: guint, on display: OpaquePointer) -> Bool {
        var count: Int32 = 0
        var keys: UnsafeMutablePointer<GdkKeymapKey>?
        defer { g_free(keys) }
        return gdk_display_map_keyval(display, keyval, &keys, &count) != 0 && count > 0
    }

    /// What an American keyboard has at a place, as Linux numbers them for X and Wayland; empty for other keys than those of letters and digits.
    private static func american(_ code: guint) -> [guint] {
        for (first, row) in [(10, "1234567890-="), (24, "qwertyuiop"), (38, "asdfghjkl"), (52, "zxcvbnm")] {
            let index = Int(code) - first
            let keys = Array(row.utf8)
            if keys.indices.contains(index) { return [guint(keys[index])] }
        }
        return []
    }
}
