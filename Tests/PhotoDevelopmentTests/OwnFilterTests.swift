import Foundation
import ImageCodecs
import PhotoPipeline
import XCTest

@testable import PhotoDevelopment

/// Runs in which single photos have a filter of their own.
final class OwnFilterTests: JournalTestCase {
    private let invert = FilterChain([.invert(1)])

    func testSinglePhotosHaveAFilterOfTheirOwn() async throws {
        _ = try await catalog(["a.jpg", "b.jpg"])
        // Two rows with one address, which differ in it.
        let text = "name,url\none,a.jpg\ntwo,a.jpg\nthree,b.jpg\n"
        try Data(text.utf8).write(to: URL(filePath: folder + "/own.csv"))
        let catalog = try await Catalog.load(from: .path(folder + "/own.csv"))
        var options = options
        (options.filter, options.resize, options.encoder) = (.none, nil, ImageEncoder(format: .png))
        options.ownFilters.set(.init(invert, intensity: 0.5), for: [Photo.ID(1)])
        options.comparesContents = true
        let summary = await (try Development(of: catalog, options: options)).run()
        XCTAssertEqual(summary.progress.filtered, 3)
        let before = try ImageDecoder.decode(
            Data(contentsOf: URL(filePath: folder + "/a.jpg")), longestSide: nil)
        let names = try FileManager.default.contentsOfDirectory(atPath: output)
            .filter { $0.hasSuffix(".png") }.sorted()
        let images = try names.map {
            try ImageDecoder.decode(Data(contentsOf: URL(filePath: output + "/" + $0)), longestSide: nil)
        }
        XCTAssertEqual(names.map { $0.prefix(3) }, ["one", "thr", "two"])
        let other = invert.applied(to: before, intensity: 0.5)
        XCTAssertEqual(images.map { $0 == before }, [true, true, false])
        XCTAssertEqual(images.last, other)
    }

    /// Such rows would share their file, were it not for their filters.
    func testRowsThatAreEqualButForTheirFiltersHaveFilesOfTheirOwn() async throws {
        _ = try await catalog(["a.jpg"])
        try Data("name,url\none,a.jpg\none,a.jpg\none,a.jpg\n".utf8).write(to: URL(filePath: folder + "/own.csv"))
        let catalog = try await Catalog.load(from: .path(folder + "/own.csv"))
        for names in [DevelopmentOptions.Names.plain, .unique] {
            var options = options
            options.output = folder + "/\(names)"
            options.names = names
            options.ownFilters.set(.init(invert), for: [Photo.ID(1)])
            let summary = await (try Development(of: catalog, options: options)).run()
            XCTAssertEqual(summary.progress.filtered, 3)
            let files = try FileManager.default.contentsOfDirectory(atPath: options.output)
                .filter { $0.hasSuffix(".jpg") }.map { try Data(contentsOf: URL(filePath: options.output + "/" + $0)) }
            XCTAssertEqual(Set(files).count, 2)
            XCTAssertEqual(files.count, 2)
        }
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
