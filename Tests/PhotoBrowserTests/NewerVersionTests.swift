import Foundation
import PhotoBrowser
import PhotoPipeline
import Testing

/// Where the photos of a catalog are in a newer version of it.
@Suite struct NewerVersionTests {
    private static let old = ["a,1", "b,2", "c,3", "d,4"]

    @Test(
        arguments: [
            (["a,1", "b,2", "c,3", "d,4"], [0, 1, 2, 3]), (["x,9", "a,1", "b,2", "c,3", "d,4"], [1, 2, 3, 4]),
            (["d,4", "b,2"], [nil, 1, nil, 0]), (["c,3"], [nil, nil, 0, nil]), ([], [nil, nil, nil, nil]),
            // It has another name, but is the same photo; and one that has the name alone is not.
            (["a,9", "other,1"], [1, nil, nil, nil]),
            // Of several, the one with the name.
            (["c,9", "other,3", "other,4", "c,3"], [nil, nil, 3, 2]),
        ] as [([String], [Int?])])
    func photosAreFoundByTheirAddresses(rows: [String], expected: [Int?]) throws {
        let (old, new) = (try Self.catalog(Self.old), try Self.catalog(rows))
        #expect(Self.old.indices.map { old.photo(Photo.ID($0), in: new)?.index } == expected)
        #expect(old.photos(Self.old.indices.map { Photo.ID($0) }, in: new).map { $0?.index } == expected)
    }

    /// Copies of one picture, of which one more has come before them.
    @Test func ofEqualOnesItIsTheNearest() throws {
        let (old, new) = (try Self.catalog(["a,1", "x,2", "a,1"]), try Self.catalog(["a,1", "y,3", "x,2", "a,1"]))
        #expect(old.photo(Photo.ID(2), in: new) == Photo.ID(3))
        #expect(old.photo(Photo.ID(0), in: new) == Photo.ID(0))
        #expect(old.photo(Photo.ID(9), in: new) == nil)
        #expect(old.photos([Photo.ID(2), Photo.ID(9), Photo.ID(0)], in: new) == [Photo.ID(3), nil, Photo.ID(0)])
        #expect(new.photo(at: "http://localhost/1", near: 2) == Photo.ID(3))
        #expect(new.photo(at: "http://localhost/1", near: .max) == Photo.ID(3), "a file of the user's says any number")
        #expect(new.photo(at: "http://localhost/9", near: 2) == nil)
    }

    private static func catalog(_ rows: [String]) throws -> Catalog {
        let lines = rows.map { $0.replacing(",", with: ",http://localhost/") + "\n" }
        return try Catalog(parsing: Data(("name,url\n" + lines.joined()).utf8), origin: .file(path: "/list.csv"))
    }
}
