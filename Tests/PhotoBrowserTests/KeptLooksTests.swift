import Foundation
import PhotoBrowser
import PhotoPipeline
import XCTest

/// Looks of single photos that are kept from one run to the next.
final class KeptLooksTests: XCTestCase {
    private var folder = ""

    override func setUp() {
        folder = FileManager.default.temporaryDirectory.appending(path: "classicphotos-looks-\(UUID())").path
    }

    override func tearDown() {
        try? FileManager.default.removeItem(atPath: folder)
    }

    private func catalog(_ names: [String]) throws -> Catalog {
        let lines = names.map { "\($0),http://127.0.0.1/\($0)\n" }.joined()
        return try Catalog(parsing: Data(("name,url\n" + lines).utf8), origin: .file(path: "/catalog.csv"))
    }

    private func text(_ looks: PhotoValues<String>) -> [String: String] {
        var text: [String: String] = [:]
        for photo in looks.photos { text["\(photo.index)"] = looks[photo] }
        return text
    }

    func testTheyAreFoundByAddressInOtherOrders() throws {
        let files = KeptLooks<String>(folder: folder)
        let first = try catalog(["a", "b", "c", "d"])
        var looks = PhotoValues<String>()
        looks.set("grey", for: [Photo.ID(0), Photo.ID(2)])
        looks.set("warm", for: [Photo.ID(3)])
        try files.keep(looks, after: PhotoValues(), of: first, named: "one")
        let second = try catalog(["new", "d", "c", "b", "a"])
        XCTAssertEqual(text(files.looks(of: second, named: "one")), ["1": "warm", "2": "grey", "4": "grey"])
        XCTAssertEqual(text(files.looks(of: second, named: "another")), [:])
        let attributes = try FileManager.default.attributesOfItem(atPath: folder)
        XCTAssertEqual((attributes[.posixPermissions] as? NSNumber)?.intValue, 0o700)
    }

    func testOnlyWhatHasChangedIsWritten() throws {
        let files = KeptLooks<String>(folder: folder)
        let all = try catalog(["a", "b", "c"])
        var looks = PhotoValues<String>()
        looks.set("grey", for: [Photo.ID(0), Photo.ID(1), Photo.ID(2)])
        try files.keep(looks, after: PhotoValues(), of: all, named: "one")
        // A part of the photos, as without the folders inside.
        let part = try catalog(["b"])
        let before = files.looks(of: part, named: "one")
        try files.keep(PhotoValues(), after: before, of: part, named: "one")
        XCTAssertEqual(text(files.looks(of: all, named: "one")), ["0": "grey", "2": "grey"])
        // Another window, which knows nothing of that.
        var other = looks
        other.set("warm", for: [Photo.ID(2)])
        try files.keep(other, after: looks, of: all, named: "one")
        XCTAssertEqual(text(files.looks(of: all, named: "one")), ["0": "grey", "2": "warm"])
        // Nothing is left of what nobody wants.
        try files.keep(PhotoValues(), after: other, of: all, named: "one")
        XCTAssertEqual(try FileManager.default.contentsOfDirectory(atPath: folder), [])
    }

    /// As on a full disk: here a file lies where the folder belongs.
    func testWhatCannotBeWrittenIsRemembered() throws {
        let files = KeptLooks<String>(folder: folder)
        let catalog = try catalog(["a", "b", "c"])
        try Data().write(to: URL(filePath: folder))
        var looks = PhotoValues<String>()
        looks.set("grey", for: [Photo.ID(0)])
        XCTAssertThrowsError(try files.keep(looks, after: PhotoValues(), of: catalog, named: "one"))
        XCTAssertThrowsError(try files.keep(looks, after: PhotoValues(), of: catalog, named: "two"))
        XCTAssertEqual(text(files.looks(of: catalog, named: "one")), ["0": "grey"], "it is there in this run")
        XCTAssertThrowsError(try files.keepAgain())
        try FileManager.default.removeItem(atPath: folder)
        var more = looks
        more.set("warm", for: [Photo.ID(2)])
        try files.keep(more, after: looks, of: catalog, named: "one")
        try files.keepAgain()
        // As the next run finds them.
        let next = KeptLooks<String>(folder: folder)
        XCTAssertEqual(text(next.looks(of: catalog, named: "one")), ["0": "grey", "2": "warm"])
        XCTAssertEqual(text(next.looks(of: catalog, named: "two")), ["0": "grey"])
    }

    func testThereAreBounds() throws {
        let files = KeptLooks<String>(folder: folder)
        let many = KeptLooks<String>.mostPhotos + 500
        let catalog = try catalog((0..<many).map { "\($0)" })
        var looks = PhotoValues<String>()
        looks.set("grey", for: (0..<many).map { Photo.ID($0) })
        try files.keep(looks, after: PhotoValues(), of: catalog, named: "many")
        XCTAssertEqual(files.looks(of: catalog, named: "many").count, KeptLooks<String>.mostPhotos)

        let small = try self.catalog(["a"])
        var one = PhotoValues<String>()
        one.set("grey", for: [Photo.ID(0)])
        for number in 0..<KeptLooks<String>.mostCatalogs + 20 {
            try files.keep(one, after: PhotoValues(), of: small, named: "\(number)")
        }
        let count = try FileManager.default.contentsOfDirectory(atPath: folder).count
        XCTAssertEqual(count, KeptLooks<String>.mostCatalogs)
    }

    /// The file of the looks that are kept.
    private func file() throws -> URL {
        let names = try FileManager.default.contentsOfDirectory(atPath: folder)
        XCTAssertEqual(names.count, 1)
        return URL(filePath: folder).appending(path: try XCTUnwrap(names.first))
    }

    /// As one of a damaged disk, or where the permission is missing: here a link that leads to itself lies in its place.
    func testAFileThatCannotBeReadLosesNoLook() throws {
        let files = KeptLooks<String>(folder: folder)
        let catalog = try catalog(["a", "b", "c", "d"])
        var looks = PhotoValues<String>()
        looks.set("grey", for: [Photo.ID(0), Photo.ID(1)])
        try files.keep(looks, after: PhotoValues(), of: catalog, named: "one")
        let file = try file()
        let away = URL(filePath: folder + "-away")
        try FileManager.default.moveItem(at: file, to: away)
        defer { try? FileManager.default.removeItem(at: away) }
        try FileManager.default.createSymbolicLink(atPath: file.path, withDestinationPath: file.lastPathComponent)
        // A window that was opened meanwhile has none of them.
        XCTAssertTrue(files.looks(of: catalog, named: "one").isEmpty)
        var new = PhotoValues<String>()
        for (look, photo) in [("warm", 2), ("cold", 3)] {
            let old = new
            new.set(look, for: [Photo.ID(photo)])
            XCTAssertThrowsError(try files.keep(new, after: old, of: catalog, named: "one"))
        }
        let old = new
        new.set(nil, for: [Photo.ID(2)])
        XCTAssertThrowsError(try files.keep(new, after: old, of: catalog, named: "one"))
        XCTAssertEqual(text(files.looks(of: catalog, named: "one")), ["3": "cold"], "it is there in this run")
        XCTAssertThrowsError(try files.keepAgain())
        try FileManager.default.removeItem(at: file)
        try FileManager.default.moveItem(at: away, to: file)
        try files.keepAgain()
        // As the next run finds them.
        let next = KeptLooks<String>(folder: folder)
        XCTAssertEqual(text(next.looks(of: catalog, named: "one")), ["0": "grey", "1": "grey", "3": "cold"])
    }

    func testAFileThatIsNotUnderstoodIsPutAside() throws {
        let files = KeptLooks<String>(folder: folder)
        let catalog = try catalog(["a", "b"])
        var one = PhotoValues<String>()
        one.set("grey", for: [Photo.ID(0)])
        XCTAssertNil(try files.keep(one, after: PhotoValues(), of: catalog, named: "one"))
        let file = try file()
        var damaged = try Data(contentsOf: file)
        damaged[damaged.count / 2] = 0
        try damaged.write(to: file)
        XCTAssertTrue(files.looks(of: catalog, named: "one").isEmpty)
        XCTAssertEqual(try self.file(), file, "who only looks at photos changes nothing")
        var other = PhotoValues<String>()
        other.set("warm", for: [Photo.ID(1)])
        let aside = file.path + ".broken"
        XCTAssertEqual(try files.keep(other, after: PhotoValues(), of: catalog, named: "one"), aside)
        XCTAssertEqual(try Data(contentsOf: URL(filePath: aside)), damaged)
        XCTAssertEqual(text(files.looks(of: catalog, named: "one")), ["1": "warm"])
    }
}
