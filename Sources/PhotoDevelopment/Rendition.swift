import ImageCodecs
import PhotoPipeline

/// A picture that is made of each photo: a variant, the only one of a run without variants, or the photo as it came.
struct Rendition: Sendable {
    /// The variant's name; nil where there are no variants.
    let variant: String?
    let filter: FilterChain
    /// How much of the filter shows, from 0 to 1.
    let intensity: Double
    let resize: Resize?
    /// The format; nil for the photo as it came.
    let encoder: ImageEncoder?

    /// The ending of its files' names, without the dot: of all, or for photos as they came, of most.
    var usualEnding: String { (encoder?.format.fileExtension) ?? ImageFormat.jpeg.fileExtension }

    /// What is done to the photo.
    var processing: ProcessingChain { ProcessingChain(filter, intensity: intensity) }

    /// How a photo is looked at that is written as it came: decoding reads all of it, and makes as much of it as small pictures
    /// for the report and the contact sheet need.
    private static let proof = Resize.longestSide(256)

    fileprivate static func asItCame() -> Rendition {
        Rendition(variant: nil, filter: .none, intensity: 1, resize: proof, encoder: nil)
    }
}

extension DevelopmentOptions {
    /// What is made of each photo, at least one; reports show the first.
    var renditions: [Rendition] {
        if keepsOriginals { return [.asItCame()] }
        if variants.isEmpty {
            return [
                Rendition(variant: nil, filter: filter, intensity: intensity, resize: resize, encoder: encoder)
            ]
        }
        return variants.map {
            Rendition(
                variant: $0.name, filter: $0.filter, intensity: $0.intensity, resize: $0.resize, encoder: $0.encoder)
        }
    }
}

extension ResultStore {
    /// What the results of a row are called in the folder.
    ///
    /// - Parameters:
    ///   - stem: The row's, see ``stem(of:at:)``.
    ///   - renditions: What is made of a photo.
    ///   - endings: The endings of its results where they are known; the usual ones by default.
    func files(_ stem: String, _ renditions: [Rendition], endings: [String?] = []) -> [String] {
        renditions.enumerated().map { place, rendition in
            let ending = place < endings.count ? endings[place] : nil
            return file(stem, rendition.variant, ending: ending ?? rendition.usualEnding)
        }
    }
}
