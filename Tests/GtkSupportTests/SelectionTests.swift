import CGtk
import Foundation
import GtkSupport
import PhotoBrowser
import PhotoPipeline
import XCTest

@testable import PhotoApp

/// Which photos are chosen, of very many.
final class SelectionTests: GtkTestCase {
    /// Looked up one by one, it would be ten thousand million steps.
    func testWhetherOneOfManyPhotosIsChosenTakesOnePass() throws {
        try MainActor.assumeIsolated {
            let count = 100_000
            let lines = (0..<count).map { "http://localhost/\($0)\n" }
            let catalog = try Catalog(parsing: Data(lines.joined().utf8), origin: .file(path: "/list.txt"))
            let list = PhotoList(catalog: catalog, pipeline: PhotoPipeline())
            defer { list.close() }
            list.arrangement.isReversed = true
            Self.wait("the rows") { !list.isArranging }
            let selection = PhotoSelection(list, IdentifierModel(count: count) { list.photo(atRow: $0).index })
            defer { g_object_unref(selection.model.map { UnsafeMutableRawPointer($0) }) }
            let photos = (0..<count).map { Photo.ID($0) }
            let begin = ContinuousClock.now
            XCTAssertFalse(selection.containsAny(of: photos))
            XCTAssertLessThan(ContinuousClock.now - begin, .seconds(5))
            selection.choose([Photo.ID(7)])
            XCTAssertTrue(selection.containsAny(of: photos))
            XCTAssertTrue(selection.containsAny(of: [Photo.ID(7)]))
            XCTAssertFalse(selection.containsAny(of: photos.filter { $0 != Photo.ID(7) }))
            XCTAssertFalse(selection.containsAny(of: []))
        }
    }
}
