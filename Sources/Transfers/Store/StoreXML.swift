import CGLib

/// An element of an answer in XML, which is read by GLib's parser: it knows no entities but the five, and loads nothing.
struct StoreXML {
    /// How many elements may stand one inside the other. Answers of stores need five; an element frees those in it one inside the other,
    /// on the stack.
    private static let deepest = 64

    let name: String
    private(set) var text = ""
    private(set) var children: [StoreXML] = []

    /// The text of the first child of this name; nil where there is none.
    subscript(name: String) -> String? { children.first { $0.name == name }?.text }

    func all(_ name: String) -> [StoreXML] { children.filter { $0.name == name } }

    private init(name: String) { self.name = name }

    /// Reads a document.
    ///
    /// - Returns: Its outermost element; nil where it is no XML, or is deeper than any answer.
    static func parse(_ bytes: [UInt8]) -> StoreXML? {
        let reader = Reader()
        var parser = GMarkupParser()
        parser.start_element = { _, name, _, _, reader, error in
            guard let name, let reader = Reader.from(reader) else { return }
            guard reader.open.count < StoreXML.deepest else {
                let code = gint(G_MARKUP_ERROR_INVALID_CONTENT.rawValue)
                error?.pointee = g_error_new_literal(g_markup_error_quark(), code, "too deep")
                return
            }
            // A namespace is no part of the name.
            let local = String(cString: name).split(separator: ":").last.map(String.init)
            reader.open.append(StoreXML(name: local ?? ""))
        }
        parser.end_element = { _, _, reader, _ in
            guard let reader = Reader.from(reader), let element = reader.open.popLast() else { return }
            if reader.open.isEmpty {
                reader.root = element
            } else {
                reader.open[reader.open.count - 1].children.append(element)
            }
        }
        parser.text = { _, text, count, reader, _ in
            guard let text, let reader = Reader.from(reader), !reader.open.isEmpty else { return }
            let bytes = UnsafeRawBufferPointer(start: text, count: Int(count))
            reader.open[reader.open.count - 1].text += String(decoding: bytes, as: UTF8.self)
        }
        return withExtendedLifetime(reader) {
            withUnsafePointer(to: parser) { parser in
                let context = g_markup_parse_context_new(
                    parser, GMarkupParseFlags(rawValue: 0), Unmanaged.passUnretained(reader).toOpaque(), nil)
                defer { g_markup_parse_context_free(context) }
                let isRead = bytes.withUnsafeBytes { bytes in
                    g_markup_parse_context_parse(
                        context, bytes.baseAddress?.assumingMemoryBound(to: CChar.self), gssize(bytes.count), nil)
                }
                guard isRead != 0, g_markup_parse_context_end_parse(context, nil) != 0 else { return nil }
                return reader.root
            }
        }
    }

    /// What the parser's callbacks write to.
    private final class Reader {
        var open: [StoreXML] = []
        var root: StoreXML?

        static func from(_ pointer: gpointer?) -> Reader? {
            pointer.map { Unmanaged<Reader>.fromOpaque($0).takeUnretainedValue() }
        }
    }
}
