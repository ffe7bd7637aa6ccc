import CGLib
import Wording

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
            throw failure.map { UsageError(verbatim: String(cString: $0.pointee.message)) }
                ?? UsageError("the options are not understood")
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

    /// The help in the language of the user, laid out as GLib's programs do.
    var help: String {
        let table = OptionTable(options, isForHelp: true)
        let context = makeContext(table)
        defer { g_option_context_free(context) }
        guard let text = g_option_context_get_help(context, 1, nil) else { return "" }
        defer { g_free(text) }
        let usage = "  \(command) \(Self.anyOption) \(arguments)"
        return String(cString: text).split(separator: "\n", omittingEmptySubsequences: false).map { line in
            switch line {
            case Self.headings[0]: tr("Usage:")
            case Self.headings[1]: tr("Options:")
            case Self.ownWords(usage): usage
            default: String(line)
            }
        }.joined(separator: "\n")
    }

    /// GLib's own headings, which are in the user's language where its translations are installed.
    private static let headings = ["Usage:", "Options:"].map(wordsOfGLib)

    /// What stands for options, as other such words do, in every language.
    private static let anyOption = "[OPTION…]"

    /// A line as GLib writes it, which translates this word where its translations are installed.
    private static func ownWords(_ usage: String) -> String {
        usage.replacing(anyOption, with: wordsOfGLib(anyOption), maxReplacements: 1)
    }

    private static func wordsOfGLib(_ text: String) -> String {
        dgettext("glib20", text).map { String(cString: $0) } ?? text
    }

    /// What translators are given: what each option does, and the paragraphs of the texts before and after the options.
    var texts: [String] {
        options.map(\.help) + (Self.paragraphs(summary) + Self.paragraphs(details)).map(\.text)
    }

    /// The paragraphs of a text, each with the lines below it that are typed as they stand, as under `Examples:`.
    private static func paragraphs(_ text: String) -> [(text: String, typed: String)] {
        text.split(separator: "\n\n").map { paragraph in
            let lines = paragraph.split(separator: "\n", maxSplits: 1)
            guard lines.count == 2, lines[0].hasSuffix(":"),
                lines[1].split(separator: "\n").allSatisfy({ $0.hasPrefix("  ") })
            else { return (String(paragraph), "") }
            return (String(lines[0]), "\n" + lines[1])
        }
    }

    private static func translated(_ text: String) -> String {
        paragraphs(text).map { Translation.text($0.text) + $0.typed }.joined(separator: "\n\n")
    }

    private func makeContext(_ table: OptionTable) -> OpaquePointer? {
        g_set_prgname(command)
        let context = g_option_context_new(arguments)
        g_option_context_set_help_enabled(context, 0)
        g_option_context_set_summary(context, Self.translated(summary))
        g_option_context_set_description(context, Self.translated(details))
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
