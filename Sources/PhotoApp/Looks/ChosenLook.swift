package import PhotoBrowser
import PhotoPipeline

/// A look of those that the chooser offers, and how strong it is.
///
/// Files of kept looks are read and written elsewhere than on the main actor.
nonisolated package struct ChosenLook: Hashable, Codable, Sendable {
    /// What preferences call it.
    package var identifier: String
    /// From 0 to 1.
    package var intensity: Double

    /// - Parameter intensity: How strong it is. Files of the user's may say any number: those beyond the bounds become the nearest
    ///   one, and what is no number all of it. Default: all of it.
    init(identifier: String, intensity: Double = 1) {
        self.identifier = identifier
        self.intensity = intensity.isFinite ? min(max(intensity, 0), 1) : 1
    }

    package init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            identifier: try values.decode(String.self, forKey: .identifier),
            intensity: try values.decode(Double.self, forKey: .intensity))
    }

    /// What catalogs begin with.
    static let classic = ChosenLook(identifier: "classic")
    /// What photos of one's own begin with: as they are.
    static let original = ChosenLook(identifier: "original")

    @MainActor package var choice: LookChoice { LookChoice.named(identifier) }

    /// For a list.
    @MainActor package var look: PhotoLook { PhotoLook(choice.filter, intensity: intensity) }

    /// Whether photos are shown as they are.
    @MainActor var isPlain: Bool { choice.filter.functions.isEmpty || intensity == 0 }

    /// What people call it, and how strong it is where that is not all.
    @MainActor var text: String {
        let percentage = Int((intensity * 100).rounded())
        guard percentage < 100, !choice.filter.functions.isEmpty else { return choice.name }
        return tr("{look} ({percentage} %)").filled(["look": choice.name, "percentage": percentage.grouped])
    }
}
