import CGLib
import Wording

/// GOption's table of options in memory of its own, and the places that it writes their values to.
final class OptionTable {
    struct Option {
        let name: String
        let short: Unicode.Scalar?
        /// In English; its translation is looked for where people read it.
        let help: String
        /// What the value is called in the help; nil for an option without a value.
        let valueName: String?
        /// Whether the option may stand alone, so that its value has to be attached.
        var isValueOptional = false
        /// Whether it may be there several times.
        var isRepeatable = false
    }

    /// The table, ended by an empty entry, as GOption wants it.
    let entries: UnsafeMutablePointer<GOptionEntry>

    private typealias Strings = UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>

    private let options: [Option]
    private let flags: UnsafeMutablePointer<gboolean>
    private let texts: Strings
    private let lists: UnsafeMutablePointer<Strings?>
    private let rest: UnsafeMutablePointer<Strings?>
    private var names: [UnsafeMutablePointer<CChar>?] = []

    /// - Parameters:
    ///   - options: The options.
    ///   - isForHelp: Whether the table is only shown: there a value that need not be given stands in brackets, which GOption does
    ///     not do.
    init(_ options: [Option], isForHelp: Bool = false) {
        self.options = options
        entries = .allocate(capacity: options.count + 2)
        entries.initialize(repeating: GOptionEntry(), count: options.count + 2)
        flags = .allocate(capacity: options.count)
        flags.initialize(repeating: 0, count: options.count)
        texts = .allocate(capacity: options.count)
        texts.initialize(repeating: nil, count: options.count)
        lists = .allocate(capacity: options.count)
        lists.initialize(repeating: nil, count: options.count)
        rest = .allocate(capacity: 1)
        rest.initialize(to: nil)
        for (index, option) in options.enumerated() {
            let help = Translation.text(option.help)
            let short = option.short.map { gchar($0.value) } ?? 0
            entries[index] =
                if let valueName = option.valueName, option.isValueOptional, isForHelp {
                    cglib_option_flag(keep("\(option.name)[=\(valueName)]"), short, flags + index, keep(help))
                } else if let valueName = option.valueName, option.isRepeatable {
                    cglib_option_with_values(keep(option.name), lists + index, keep(help), keep(valueName))
                } else if let valueName = option.valueName {
                    cglib_option_with_value(keep(option.name), short, texts + index, keep(help), keep(valueName))
                } else {
                    cglib_option_flag(keep(option.name), short, flags + index, keep(help))
                }
        }
        entries[options.count] = cglib_option_rest(rest)
    }

    deinit {
        for index in options.indices {
            g_free(texts[index])
            g_strfreev(lists[index])
        }
        g_strfreev(rest.pointee)
        for name in names { g_free(name) }
        entries.deallocate()
        flags.deallocate()
        texts.deallocate()
        lists.deallocate()
        rest.deallocate()
    }

    /// What has been parsed.
    var values: OptionValues {
        var values = OptionValues()
        for (index, option) in options.enumerated() {
            if flags[index] != 0 { values.flags.insert(option.name) }
            if let text = texts[index] { values.texts[option.name] = String(cString: text) }
            if lists[index] != nil { values.lists[option.name] = Self.list(lists[index]) }
        }
        values.arguments = Self.list(rest.pointee)
        return values
    }

    private static func list(_ strings: Strings?) -> [String] {
        var list: [String] = []
        var next = strings
        while let text = next?.pointee {
            list.append(String(cString: text))
            next = next?.successor()
        }
        return list
    }

    private func keep(_ text: String) -> UnsafePointer<CChar>? {
        let copy = g_strdup(text)
        names.append(copy)
        return UnsafePointer(copy)
    }
}
