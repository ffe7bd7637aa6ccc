import PhotoPipeline

/// A filter with a name that people know it by.
package struct LookChoice {
    /// What preferences call it.
    package let identifier: String
    let name: String
    let filter: FilterChain

    /// What the chooser offers; the first is the default.
    package static let all: [LookChoice] = {
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

    static func named(_ identifier: String) -> LookChoice {
        all.first { $0.identifier == identifier } ?? all[0]
    }
}
