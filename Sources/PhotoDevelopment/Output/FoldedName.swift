import CGLib

/// Names of files as file systems compare them. Names count as equal where any usual one takes them for one: whatever their case, in all
/// forms of Unicode, also such as only look alike (a ligature and its letters), and without what is not shown.
package enum FoldedName {
    /// What all names have in common that a file system may take for one.
    package static func of(_ name: String) -> String {
        if name.utf8.allSatisfy({ $0 < 0x80 }) { return name.lowercased() }
        let shown = String(
            String.UnicodeScalarView(name.unicodeScalars.filter { !$0.properties.isDefaultIgnorableCodePoint }))
        // There and back, as several letters may have one capital.
        return normalized(normalized(shown).lowercased().uppercased().lowercased())
    }

    private static func normalized(_ text: String) -> String {
        guard let normalized = g_utf8_normalize(text, gssize(text.utf8.count), G_NORMALIZE_ALL_COMPOSE) else {
            return text
        }
        defer { g_free(normalized) }
        return String(cString: normalized)
    }
}
