import FoundationEssentials
import ImageCodecs
import Operations
import PhotoPipeline

/// Small pictures of the first rows, before and after, for the page of the report.
///
/// They come from the pipeline while a run goes on, as those of the contact sheet do, and are handed on as JPEG files: a side
/// of 96 points on a screen with two pixels a point, and about 4 kB each.
final class ReportImages: Sendable {
    /// A picture as it was and what was made of it, as JPEG files.
    struct Pair: Equatable, Sendable {
        var original: Data
        var result: Data
    }

    /// How many rows have pictures at most: the first of the catalog, so that a run that goes on adds to the same ones. Each costs
    /// about a millisecond, a tenth of what developing its photo does.
    static let mostRows = 60
    /// Their longest side, in pixels.
    static let longestSide = 192

    private let encoder: ImageEncoder
    private let store: @Sendable (Int, Pair) -> Void
    /// The originals of rows that have no result yet.
    private let originals = Lock<[Int: Data]>([:])

    /// - Parameter store: Takes the pictures of a row, counted from 0, once both are there; from the thread that made the second
    ///   one.
    init(store: @escaping @Sendable (Int, Pair) -> Void) {
        encoder = ImageEncoder(format: .jpeg, quality: 70)
        self.store = store
    }

    /// Takes a picture as it was, for all rows that it is the picture of.
    func add(original: PixelBuffer, at indices: [Int]) {
        guard let (places, bytes) = small(original, at: indices) else { return }
        originals.withLock { originals in
            for place in places { originals[place] = bytes }
        }
    }

    /// Takes what was made of it.
    func add(result: PixelBuffer, at indices: [Int]) {
        guard let (places, bytes) = small(result, at: indices) else { return }
        for place in places {
            if let original = originals.withLock({ $0.removeValue(forKey: place) }) {
                store(place, Pair(original: original, result: bytes))
            }
        }
    }

    /// The file for those of the rows that have one; nil where there is none. A picture that cannot be made is no reason to stop a
    /// run: the page does without.
    private func small(_ image: PixelBuffer, at indices: [Int]) -> ([Int], Data)? {
        let places = indices.filter { $0 < Self.mostRows }
        guard !places.isEmpty, let bytes = try? encoder.encode(image.scaled(longestSide: Self.longestSide)) else {
            return nil
        }
        return (places, bytes)
    }
}
