import CGtk
package import PhotoPipeline

/// Looks of one's own: a name, and filters as CSS writes them. They are in a file of the user's, `looks.ini`.
package enum SavedLooks {
    /// A look as its owner wrote it.
    package struct Entry: Equatable {
        package var name: String
        /// The filters. Another version of this program may have written what this one cannot read.
        package var text: String
        /// What tells it apart from the others, whatever it is called later.
        package fileprivate(set) var id: String

        package init(name: String, text: String) {
            (self.name, self.text, id) = (name, text, name)
        }

        /// What preferences call the look.
        package var identifier: String { SavedLooks.prefix + id }

        /// What the look does; nil where its text cannot be read.
        package var filter: FilterChain? { try? FilterChain(parsing: text) }
    }

    /// The file cannot be read or written.
    package struct FileError: Error {
        /// Why, as the system or GLib says it.
        package var reason: String

        /// What is said of it.
        @MainActor var sentence: String {
            tr("The file with your looks cannot be used: {reason}.").filled(["reason": SystemReason.text(reason)])
        }
    }

    /// What the identifiers of these looks begin with.
    static let prefix = "saved:"

    /// All of them, also those that are not offered because their text cannot be read.
    package private(set) static var entries: [Entry] = read() ?? []

    /// Those that are offered.
    static var choices: [LookChoice] {
        entries.compactMap { entry in
            entry.filter.map { LookChoice(identifier: entry.identifier, name: entry.name, filter: $0) }
        }
    }

    /// The one that preferences call so.
    static func entry(_ identifier: String) -> Entry? { entries.first { $0.identifier == identifier } }

    /// Keeps a look, in the place of another one or as the last. Photos that have the other one have this one then.
    /// - Returns: The look as it is kept.
    @discardableResult
    package static func keep(_ entry: Entry, inPlaceOf old: Entry? = nil) throws(FileError) -> Entry {
        readAgain()
        var (kept, changed) = (entry, entries)
        if let old {
            kept.id = old.id
            if let index = changed.firstIndex(where: { $0.id == old.id }) {
                changed[index] = kept
            } else {
                // Another process has removed it; photos have it still.
                changed.append(kept)
            }
        } else {
            // A look that has another name now may have begun with this one.
            var number = 1
            while changed.contains(where: { $0.id == kept.id }) {
                number += 1
                kept.id = "\(entry.name) \(number)"
            }
            changed.append(kept)
        }
        try write(changed)
        return kept
    }

    /// A look that was deleted, or that is there again.
    struct Removal {
        var entry: Entry
        /// Its place among the others.
        var place: Int
        /// Whether it is deleted at present.
        var isRemoved = true

        /// The same after it was taken back.
        var reversed: Removal { Removal(entry: entry, place: place, isRemoved: !isRemoved) }
    }

    /// Forgets a look.
    package static func remove(_ entry: Entry) throws(FileError) { _ = try takeOut(entry) }

    /// Forgets a look for as long as that is not taken back.
    ///
    /// - Returns: What takes it back, see ``takeBack(_:)``; nil where another process has removed it already.
    static func takeOut(_ entry: Entry) throws(FileError) -> Removal? {
        readAgain()
        let place = entries.firstIndex { $0.id == entry.id }
        let removal = place.map { Removal(entry: entries[$0], place: $0) }
        try write(entries.filter { $0.id != entry.id })
        return removal
    }

    /// Has a look that was deleted at its place again, or deletes one that is there again.
    static func takeBack(_ removal: Removal) throws(FileError) {
        guard removal.isRemoved else {
            try remove(removal.entry)
            return
        }
        readAgain()
        // Another window may have taken it back, or made one that is told apart by the same name.
        guard !entries.contains(where: { $0.id == removal.entry.id }) else { return }
        var changed = entries
        changed.insert(removal.entry, at: min(removal.place, changed.count))
        try write(changed)
    }

    // MARK: The file

    private static let key = (name: "name", text: "filter", id: "id")
    private static var folder: String { String(cString: g_get_user_config_dir()) + "/classicphotos" }
    private static var path: String { folder + "/looks.ini" }

    private static func group(_ index: Int) -> String { "look-\(index + 1)" }

    /// Takes the looks as the file has them by now: where there is no message bus, each start is a process of its own, and keeps
    /// looks too. Where the file cannot be read, they are those that are known.
    private static func readAgain() { entries = read() ?? entries }

    /// What the file has; nil where there is none that can be read.
    private static func read() -> [Entry]? {
        guard let file = g_key_file_new() else { return nil }
        defer { g_key_file_unref(file) }
        guard g_key_file_load_from_file(file, path, G_KEY_FILE_NONE, nil) != 0 else { return nil }
        return looks(in: file).readable
    }

    /// The looks of a file that can be read, and why another one cannot. GLib does not say it when it loads the file: it looks at a
    /// value when that is asked for, and has none that is not UTF-8.
    private static func looks(in file: OpaquePointer) -> (readable: [Entry], fault: FileError?) {
        var (readable, fault, index) = ([Entry](), FileError?.none, 0)
        while g_key_file_has_group(file, group(index)) != 0 {
            do throws(FileError) { readable.append(try look(index, in: file)) } catch { fault = fault ?? error }
            index += 1
        }
        return (readable, fault)
    }

    private static func look(_ index: Int, in file: OpaquePointer) throws(FileError) -> Entry {
        let name = try value(key.name, of: index, in: file)
        var entry = Entry(name: name, text: try value(key.text, of: index, in: file, orElse: ""))
        entry.id = try value(key.id, of: index, in: file, orElse: name)
        return entry
    }

    /// - Parameter other: What stands for a value that is not there; nil, the default, where it has to be there.
    private static func value(
        _ key: String, of index: Int, in file: OpaquePointer, orElse other: String? = nil
    ) throws(FileError) -> String {
        if let other, g_key_file_has_key(file, group(index), key, nil) == 0 { return other }
        var error: UnsafeMutablePointer<GError>?
        let value = g_key_file_get_string(file, group(index), key, &error)
        defer {
            g_free(value)
            g_clear_error(&error)
        }
        guard let value else { throw FileError(reason: error.map { String(cString: $0.pointee.message) } ?? key) }
        return String(cString: value)
    }

    /// Writes the file; what there was of it stays if that fails.
    private static func write(_ changed: [Entry]) throws(FileError) {
        guard let file = g_key_file_new() else { return }
        defer { g_key_file_unref(file) }
        var error: UnsafeMutablePointer<GError>?
        defer { g_clear_error(&error) }
        // One that is there and cannot be read has somebody's looks in it.
        if g_file_test(path, G_FILE_TEST_EXISTS) != 0 {
            guard g_key_file_load_from_file(file, path, G_KEY_FILE_NONE, &error) != 0 else {
                throw FileError(reason: error.map { String(cString: $0.pointee.message) } ?? path)
            }
            if let fault = looks(in: file).fault { throw fault }
        }
        for index in 0..<max(entries.count, changed.count) { g_key_file_remove_group(file, group(index), nil) }
        for (index, entry) in changed.enumerated() {
            g_key_file_set_string(file, group(index), key.name, entry.name)
            g_key_file_set_string(file, group(index), key.text, entry.text)
            g_key_file_set_string(file, group(index), key.id, entry.id)
        }
        if let problem = SettingsFile.write(file, to: path) { throw FileError(reason: problem) }
        entries = changed
    }
}
