import Foundation
import ImageCodecs
import PhotoPipeline
import XCTest

@testable import PhotoDevelopment

/// Runs whose filter shows only in part.
final class IntensityTests: JournalTestCase {
    private let invert = FilterChain([.invert(1)])

    private func decoded(_ path: String) throws -> PixelBuffer {
        try ImageDecoder.decode(Data(contentsOf: URL(filePath: path)), longestSide: nil)
    }

    private func text(_ options: DevelopmentOptions) -> [String] {
        Recipe(of: options).items.map { "\($0.option) \($0.value)" }
    }

    func testPicturesAreMixedWithWhatTheyWere() async throws {
        let catalog = try await catalog(["a.jpg"])
        let before = try decoded(folder + "/a.jpg")
        var options = options
        options.encoder = ImageEncoder(format: .png)
        var half = try DevelopmentOptions.Variant("half", filter: invert, resize: nil, encoder: options.encoder)
        let whole = try DevelopmentOptions.Variant("whole", filter: invert, resize: nil, encoder: options.encoder)
        half.intensity = 0.5
        options.variants = [half, whole]
        let summary = await (try Development(of: catalog, options: options)).run()
        XCTAssertEqual(summary.progress.filtered, 1)
        for (name, intensity) in [("half", 0.5), ("whole", 1)] {
            let names = try FileManager.default.contentsOfDirectory(atPath: output + "/" + name)
            let image = try decoded(output + "/\(name)/" + XCTUnwrap(names.first))
            XCTAssertEqual(image, invert.applied(to: before, intensity: intensity), name)
        }
        let single = try await LocalImage.developed(
            .file(folder + "/a.jpg"), filter: invert, intensity: 0.5, resize: nil, encoder: options.encoder)
        XCTAssertEqual(
            try ImageDecoder.decode(single, longestSide: nil), invert.applied(to: before, intensity: 0.5))
    }

    /// Folders of versions that did not know it are gone on with, and of this one by them.
    func testARecipeWithoutItIsWhatItWas() throws {
        let before = text(options)
        XCTAssertFalse(before.contains { $0.hasPrefix("--intensity") })
        var same = options
        same.intensity = 7
        XCTAssertEqual(text(same), before)
        (same.filter, same.intensity) = (.none, 0.5)
        XCTAssertFalse(text(same).contains { $0.hasPrefix("--intensity") })
    }

    func testARunWithAnotherIntensityIsRefusedAndToldSo() async throws {
        var faint = options
        for (intensity, written) in [(0.6, "60%"), (0.07, "7%"), (0.335, "33.5%"), (0, "0%"), (-1, "0%")] {
            faint.intensity = intensity
            XCTAssertEqual(
                Recipe(of: faint).difference(from: Recipe(of: options)).map { [$0.option, $0.before, $0.now] },
                ["--intensity", "100%", written])
            XCTAssertEqual(
                Recipe(of: options).difference(from: Recipe(of: faint)).map { [$0.option, $0.before, $0.now] },
                ["--intensity", written, "100%"])
        }
        faint.intensity = 0.6
        XCTAssertEqual(Recipe(of: faint).byImportance.prefix(2).map(\.option), ["--filter", "--intensity"])
        var (variants, others) = (options, options)
        variants.variants = [try DevelopmentOptions.Variant("a")]
        others.variants = variants.variants
        others.variants[0].intensity = 0.6
        XCTAssertEqual(
            Recipe(of: others).difference(from: Recipe(of: variants)).map { [$0.option, $0.before, $0.now] },
            ["--intensity of variant a", "100%", "60%"])

        let catalog = try await catalog(["a.jpg"])
        let first = await (try Development(of: catalog, options: faint)).run()
        XCTAssertEqual(first.progress.filtered, 1)
        let again = await (try Development(of: catalog, options: faint)).run()
        XCTAssertEqual(again.progress.filteredEarlier, 1)
        XCTAssertThrowsError(try Development(of: catalog, options: options)) {
            XCTAssert("\($0)".contains("--intensity was 60%, and is 100% now"), "\($0)")
        }
    }
}
