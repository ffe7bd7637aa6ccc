import PhotoPipeline

/// A filter with a name that people know it by.
package struct LookChoice: Equatable {
    /// What preferences call it.
    package let identifier: String
    let name: String
    let filter: FilterChain

    /// What the chooser offers: those that come with the program, and one's own. The first is the default.
    package static var all: [LookChoice] { builtIn + SavedLooks.choices }

    private static let builtIn: [LookChoice] = {
        let own = [
            LookChoice(identifier: "classic", name: tr("Classic"), filter: .classic),
            LookChoice(identifier: "original", name: tr("Original"), filter: .none),
            LookChoice(
                identifier: "black-and-white", name: tr("Black and White"), filter: FilterChain([.grayscale(1)])),
            LookChoice(
                identifier: "vivid", name: tr("Vivid"), filter: FilterChain([.saturate(1.5), .contrast(1.1)])),
            LookChoice(
                identifier: "faded", name: tr("Faded"),
                filter: FilterChain([.saturate(0.6), .brightness(1.1), .contrast(0.85)])),
        ]
        // The well-known ones have names of their own in every language.
        let known = Look.allCases.map { look in
            LookChoice(
                identifier: look.rawValue, name: look.rawValue.prefix(1).uppercased() + look.rawValue.dropFirst(),
                filter: FilterChain([.look(look)]))
        }
        return own + known
    }()

    /// The look that preferences call so; photos are as they are under one of one's own that is there no more.
    static func named(_ identifier: String) -> LookChoice {
        let choices = all
        let usual = identifier.hasPrefix(SavedLooks.prefix) ? ChosenLook.original.identifier : choices[0].identifier
        return choices.first { $0.identifier == identifier } ?? choices.first { $0.identifier == usual } ?? choices[0]
    }

    /// Whether a look has this name already, whoever made it.
    static func isTaken(_ name: String) -> Bool {
        all.contains { $0.name == name } || SavedLooks.entries.contains { $0.name == name }
    }
}
