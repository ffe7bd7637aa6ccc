import Catalogs

/// The fields of a catalog's entry, which is an object of JSON, as texts: a text as it is, all else as JSON writes it.
enum EntryFields {
    /// In the order of the entry; nil for a field that is null.
    static func fields(of entry: String) -> [(name: String, text: String?)] {
        var entry = entry
        return entry.withUTF8 { bytes in
            var members = EntryMembers(of: bytes)
            var fields: [(name: String, text: String?)] = []
            while let member = members.next() {
                let text = EntryMembers.isNull(member.value) ? nil : EntryMembers.text(of: member.value)
                fields.append((EntryMembers.text(of: member.key), text))
            }
            return fields
        }
    }
}
