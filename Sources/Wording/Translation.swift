import CGLib
import Glibc

/// A program's words in the language of its user, by gettext; English before ``begin(domain:folder:)``, where there is no
/// translation, and in the C locale.
package enum Translation {
    /// The name of the file of translations. What makes it safe: `begin` sets it once, before there is a second thread, and from
    /// then on it is only read.
    private nonisolated(unsafe) static var domain = ""

    /// Finds the translations; before the first text, and before there is a second thread.
    ///
    /// - Parameters:
    ///   - domain: The name of the file of translations, without its ending.
    ///   - folder: The folder of the languages' folders.
    package static func begin(domain: String, folder: String) {
        setlocale(LC_ALL, "")
        bindtextdomain(domain, folder)
        bind_textdomain_codeset(domain, "UTF-8")
        self.domain = domain
    }

    // What is not translated comes back as the pointer that was given, which has to be there still.

    package static func text(_ message: String) -> String {
        // gettext has what is said of the file of translations in the place of the empty text, and reads to the first null.
        guard !domain.isEmpty, !message.isEmpty, !message.utf8.contains(0) else { return message }
        return message.withCString { text in dgettext(domain, text).map { String(cString: $0) } ?? message }
    }

    package static func text(_ one: String, _ many: String, _ count: Int) -> String {
        guard !domain.isEmpty else { return count == 1 ? one : many }
        return one.withCString { one in
            many.withCString { many in
                dngettext(domain, one, many, UInt(bitPattern: count)).map { String(cString: $0) } ?? ""
            }
        }
    }
}
