import Foundation
import ImageCodecs
import PhotoPipeline
import XCTest

@testable import PhotoDevelopment

/// Runs in which single photos have a filter of their own.
final class OwnFilterTests: JournalTestCase {
    private let invert = FilterChain([.invert(1)])

    func testSinglePhotosHaveAFilterOfTheirOwn() async throws {
        // Two rows with one address, which differ in it.
        let catalog = try await catalog(["a.jpg", "a.jpg", "b.jpg"])
        var options = options
        (options.filter, options.resize, options.encoder) = (.none, nil, ImageEncoder(format: .png))
        options.ownFilters.set(.init(invert, intensity: 0.5), for: [Photo.ID(1)])
        options.comparesContents = true
        let summary = await (try Development(of: catalog, options: options)).run()
        XCTAssertEqual(summary.progress.filtered, 3)
        let before = try ImageDecoder.decode(
            Data(contentsOf: URL(filePath: folder + "/a.jpg")), longestSide: nil)
        let images = try FileManager.default.contentsOfDirectory(atPath: output)
            .filter { $0.hasSuffix(".png") }.sorted()
            .map { try ImageDecoder.decode(Data(contentsOf: URL(filePath: output + "/" + $0)), longestSide: nil) }
        XCTAssertEqual(images.count, 3)
        XCTAssertEqual(images.filter { $0 == invert.applied(to: before, intensity: 0.5) }.count, 1)
        XCTAssertGreaterThanOrEqual(images.filter { $0 == before }.count, 1)
    }

    func testAFolderHoldsPhotosOfOneChoiceOfFilters() throws {
        let before = Recipe(of: options)
        var own = options
        own.ownFilters.set(.init(invert), for: [Photo.ID(1)])
        XCTAssertEqual(Recipe(of: own).difference(from: before)?.option, "the filters of single photos")
        XCTAssertEqual(before.difference(from: Recipe(of: own))?.now, "none")
        var other = own
        other.ownFilters.set(.init(invert, intensity: 0.5), for: [Photo.ID(1)])
        XCTAssertNotNil(Recipe(of: own).difference(from: Recipe(of: other)))
        other.ownFilters.set(.init(invert), for: [Photo.ID(1)])
        XCTAssertNil(Recipe(of: own).difference(from: Recipe(of: other)))
        // Where there are none, folders of other versions are gone on with.
        other.ownFilters.set(nil, for: [Photo.ID(1)])
        XCTAssertEqual(Recipe(of: other), before)
    }
}
