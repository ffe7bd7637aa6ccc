import Foundation

/// What is in the files of translations.
enum Translations {
    /// The folder of the sources.
    static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    /// The texts of a language by the English ones; of several forms the first.
    static func read(_ language: String) throws -> [String: String] {
        let file = try String(contentsOf: root.appending(path: "po/\(language).po"), encoding: .utf8)
        var translations: [String: String] = [:]
        var text: String?
        for line in file.split(separator: "\n") {
            if let match = line.firstMatch(of: /^msgid "(.*)"$/) {
                text = String(match.1)
            } else if let match = line.firstMatch(of: /^msgstr(?:\[0\])? "(.*)"$/), let text {
                translations[text] = String(match.1)
            }
        }
        return translations
    }
}
