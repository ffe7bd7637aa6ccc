import CGLib

/// Command-line options, by GLib's GOption.
///
/// Values arrive unchanged in any locale, as ``Program`` lets only UTF-8 through; turning them into numbers and names is the part of
/// ``OptionValues``.
struct OptionParser {
    private let command: String
    /// What follows the options, as the help names it.
    let arguments: String
    private let summary: String
    private let details: String
    private(set) var options: [OptionTable.Option] = []

    /// - Parameters:
    ///   - command: The program with its command, as a person types it.
    ///   - arguments: What follows the options in the help's first line.
    ///   - summary: The text before the options.
    ///   - details: The text after them.
    init(command: String, arguments: String, summary: String, details: String) {
        self.command = command
        self.arguments = arguments
        self.summary = summary
        self.details = details
        flag("help", short: "h", "Show this help")
    }

    /// Adds an option that takes a value.
    mutating func value(_ name: String, short: Unicode.Scalar? = nil, _ valueName: String, _ help: String) {
        options.append(OptionTable.Option(name: name, short: short, help: help, valueName: valueName))
    }

    /// Adds an option that takes a value behind `=`, or none, which is the empty one.
    mutating func optionalValue(_ name: String, _ valueName: String, _ help: String) {
        options.append(
            OptionTable.Option(name: name, short: nil, help: help, valueName: valueName, isValueOptional: true))
    }

    /// Adds an option that takes a value and may be there several times.
    mutating func values(_ name: String, _ valueName: String, _ help: String) {
        options.append(
            OptionTable.Option(name: name, short: nil, help: help, valueName: valueName, isRepeatable: true))
    }

    /// Adds an option that is there or not.
    mutating func flag(_ name: String, short: Unicode.Scalar? = nil, _ help: String) {
        options.append(OptionTable.Option(name: name, short: short, help: help, valueName: nil))
    }

    /// What a command line says.
    func parse(_ commandLine: [String]) throws(UsageError) -> OptionValues {
        let words = try OptionWords(commandLine, options: options).words
        let table = OptionTable(options)
        let context = makeContext(table)
        defer { g_option_context_free(context) }
        // The parser takes what it understands out of the array, and owns it then.
        var strings = Self.strings([command] + words)
        defer { g_strfreev(strings) }
        var failure: UnsafeMutablePointer<GError>?
        guard g_option_context_parse_strv(context, &strings, &failure) != 0 else {
            defer { g_clear_error(&failure) }
            throw UsageError(failure.map { String(cString: $0.pointee.message) } ?? "the options are not understood")
        }
        return table.values
    }

    /// What a command line says; nil where it asks for something to read, which is written then.
    func read(_ commandLine: [String]) throws(UsageError) -> OptionValues? {
        let values = try parse(commandLine)
        if values.has("help") {
            Console.output(help)
            return nil
        }
        if values.has("list-looks") {
            ImageOptions.listLooks()
            return nil
        }
        return values
    }

    /// The help, laid out as GLib's programs do.
    var help: String {
        let table = OptionTable(options)
        let context = makeContext(table)
        defer { g_option_context_free(context) }
        guard let text = g_option_context_get_help(context, 1, nil) else { return "" }
        defer { g_free(text) }
        return String(cString: text)
    }

    private func makeContext(_ table: OptionTable) -> OpaquePointer? {
        g_set_prgname(command)
        let context = g_option_context_new(arguments)
        g_option_context_set_help_enabled(context, 0)
        g_option_context_set_summary(context, summary)
        g_option_context_set_description(context, details)
        g_option_context_add_main_entries(context, table.entries, nil)
        return context
    }

    private static func strings(_ list: [String]) -> UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? {
        let size = (list.count + 1) * MemoryLayout<UnsafeMutablePointer<CChar>?>.stride
        let strings = g_malloc0(gsize(size))?.assumingMemoryBound(to: UnsafeMutablePointer<CChar>?.self)
        for (index, text) in list.enumerated() { strings?[index] = g_strdup(text) }
        return strings
    }
}
