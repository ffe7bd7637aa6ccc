import CGLib

/// GOption's table of options in memory of its own, and the places that it writes their values to.
final class OptionTable {
    struct Option {
        let name: String
        let short: Unicode.Scalar?
        let help: String
        /// What the value is called in the help; nil for an option without a value.
        let valueName: String?
        /// Whether the option may stand alone, so that its value has to be attached.
        var isValueOptional = false
    }

    /// The table, ended by an empty entry, as GOption wants it.
    let entries: UnsafeMutablePointer<GOptionEntry>

    private typealias Strings = UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>

    private let options: [Option]
    private let flags: UnsafeMutablePointer<gboolean>
    private let texts: Strings
    private let rest: UnsafeMutablePointer<Strings?>
    private var names: [UnsafeMutablePointer<CChar>?] = []

    init(_ options: [Option]) {
        self.options = options
        entries = .allocate(capacity: options.count + 2)
        entries.initialize(repeating: GOptionEntry(), count: options.count + 2)
        flags = .allocate(capacity: options.count)
        flags.initialize(repeating: 0, count: options.count)
        texts = .allocate(capacity: options.count)
        texts.initialize(repeating: nil, count: options.count)
        rest = .allocate(capacity: 1)
        rest.initialize(to: nil)
        for (index, option) in options.enumerated() {
            let short = option.short.map { gchar($0.value) } ?? 0
            entries[index] =
                if let valueName = option.valueName {
                    cglib_option_with_value(keep(option.name), short, texts + index, keep(option.help), keep(valueName))
                } else {
                    cglib_option_flag(keep(option.name), short, flags + index, keep(option.help))
                }
        }
        entries[options.count] = cglib_option_rest(rest)
    }

    deinit {
        for index in options.indices { g_free(texts[index]) }
        g_strfreev(rest.pointee)
        for name in names { g_free(name) }
        entries.deallocate()
        flags.deallocate()
        texts.deallocate()
        rest.deallocate()
    }

    /// What has been parsed.
    var values: OptionValues {
        var values = OptionValues()
        for (index, option) in options.enumerated() {
            if flags[index] != 0 { values.flags.insert(option.name) }
            if let text = texts[index] { values.texts[option.name] = String(cString: text) }
        }
        var next = rest.pointee
        while let text = next?.pointee {
            values.arguments.append(String(cString: text))
            next = next?.successor()
        }
        return values
    }

    private func keep(_ text: String) -> UnsafePointer<CChar>? {
        let copy = g_strdup(text)
        names.append(copy)
        return UnsafePointer(copy)
    }
}
