import Foundation
import Glibc
import PhotoPipeline
import TestServers
import XCTest

@testable import PhotoBrowser

/// What is shown when somebody opens pictures, folders and catalogs.
final class OpenRequestTests: XCTestCase {
    private let folder = FileManager.default.temporaryDirectory.appending(path: "classicphotos-open-\(UUID())")

    /// The path of a row's file, byte for byte.
    private func path(of row: Catalog.Row) throws -> String {
        let address = String(describing: try row.content.get())
        return try XCTUnwrap(URL(string: address)).path(percentEncoded: false)
    }

    override func setUpWithError() throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    override func tearDown() { try? FileManager.default.removeItem(at: folder) }

    func testAPictureIsShownAmongThoseOfItsFolder() async throws {
        for name in ["2.png", "10.png", "1.png", "other/3.png"] { try write(name, Self.image()) }
        let opened = try await open(["2.png"])
        XCTAssertEqual(opened.catalog.map(\.name), ["1.png", "2.png", "10.png"])
        XCTAssertEqual(opened.chosen, Photo.ID(1))
        XCTAssertTrue(opened.isOwn)
        XCTAssertNil(opened.source, "somebody who looks at a picture has not opened its folder for another time")
        XCTAssertEqual(try path(of: opened.catalog[1]), folder.appending(path: "2.png").path)
    }

    func testAPictureIsKnownByItsContentOrItsName() async throws {
        try write("without ending", Self.image())
        let opened = try await open(["without ending"])
        XCTAssertEqual(opened.catalog.map(\.name), ["without ending"])
        XCTAssertEqual(opened.chosen, Photo.ID(0))
        // It is shown as a picture that is broken, and not as a catalog that is none.
        try write("broken.jpg", Data("no picture".utf8))
        let broken = try await open(["broken.jpg"])
        XCTAssertEqual(broken.catalog.map(\.name), ["broken.jpg"])
    }

    /// As one that is dragged out of a web browser.
    func testThePictureOfAnAddressIsShownAlone() async throws {
        let server = try FaultServer()
        defer { server.stop() }
        server.serve(Self.image(), at: "/a%20photo.png")
        server.serve(Data("<svg xmlns='http://www.w3.org/2000/svg' width='4' height='4'/>".utf8), at: "/drawing")
        server.serve(Data("%PDF-1.4".utf8), at: "/document")
        // JPEG XL in its container, BigTIFF of both orders, HEIC.
        for (path, beginning) in [
            ("/jxl", "\0\0\0\u{C}JXL \r\n"), ("/little", "II+\0"), ("/big", "MM\0+"), ("/heic", "\0\0\0\u{18}ftypheic"),
        ] {
            server.serve(Data((beginning + "\0\0\0\0").utf8), at: path)
        }
        for path in ["/a%20photo.png", "/drawing", "/jxl", "/little", "/big", "/heic"] {
            let request = try XCTUnwrap(OpenRequest(arguments: [server.url(path).absoluteString]))
            let opened = try await request.load()
            XCTAssertEqual(opened.catalog.count, 1)
            XCTAssertEqual("\(try opened.catalog[0].content.get())", server.url(path).absoluteString)
            XCTAssertEqual(opened.source, .address(server.url(path)))
            XCTAssertEqual(opened.chosen, Photo.ID(0))
            XCTAssertFalse(opened.isOwn)
        }
        let document = try XCTUnwrap(OpenRequest(arguments: [server.url("/document").absoluteString]))
        do {
            _ = try await document.load()
            XCTFail("it is no picture")
        } catch .notRead(.notACatalog(let reason)) {
            XCTAssertEqual(reason, "it is a PDF document")
        }
    }

    func testAFolderHasThePicturesOfItsSubfolders() async throws {
        for name in ["b.png", "2024/a.jpg", "2024/June/a.jpg", ".hidden/c.png", "notes/readme.txt"] {
            try write(name, Self.image())
        }
        // A link that leads in a circle.
        try FileManager.default.createSymbolicLink(
            at: folder.appending(path: "2024/up"), withDestinationURL: folder)
        let request = try XCTUnwrap(OpenRequest(arguments: [folder.path]))
        let opened = try await request.load()
        XCTAssertEqual(opened.catalog.map(\.name), ["2024/a.jpg", "2024/June/a.jpg", "b.png"])
        XCTAssertEqual(opened.source, .path(folder.path))
        XCTAssertEqual(try path(of: opened.catalog[1]), folder.appending(path: "2024/June/a.jpg").path)
    }

    /// As where photos came from a Mac in part: é as one character, and as two.
    func testFoldersWhoseNamesOnlyLookTheSameAreTwo() async throws {
        let names = ["caf\u{E9}", "cafe\u{301}"]
        for name in names { try write(name + "/a.png", Self.image()) }
        let opened = try await open(names)
        XCTAssertEqual(opened.catalog.count, 2)
        for row in opened.catalog {
            let path = try path(of: row)
            XCTAssertTrue(FileManager.default.fileExists(atPath: path), path)
        }
    }

    func testSeveralFilesAndFoldersAreShownTogether() async throws {
        for name in ["a/1.png", "a/2.png", "b/3.png", "b/deep/4.png", "notes.txt"] { try write(name, Self.image()) }
        let opened = try await open(["b", "a/2.png", "a/2.png", "missing.png"])
        XCTAssertEqual(opened.catalog.map(\.name), ["a/2.png", "b/3.png", "b/deep/4.png", "missing.png"])
        XCTAssertNil(opened.chosen)
        XCTAssertNil(opened.source)
        for row in opened.catalog {
            XCTAssertEqual(try path(of: row), folder.appending(path: row.name).path)
        }
    }

    func testCatalogsAndAddressesOfFilesAreOpened() async throws {
        try write("list of photos.csv", Data("name,url\nOne,a.jpg\n".utf8))
        let opened = try await open(["list of photos.csv"])
        XCTAssertEqual(opened.catalog.map(\.name), ["One"])
        XCTAssertEqual(opened.source, .path(folder.appending(path: "list of photos.csv").path))
        let escaped = "file://" + folder.path + "/list%20of%20photos.csv"
        let byAddress = try await XCTUnwrap(OpenRequest(arguments: [escaped])).load()
        XCTAssertEqual(byAddress.catalog.map(\.name), ["One"])
        XCTAssertEqual(Catalog.Source(argument: "file://localhost/a%20b"), .path("/a b"))
        XCTAssertEqual(Catalog.Source(argument: "file:c"), .path("file:c"))
    }

    func testWhatCannotBeOpenedIsSaid() async throws {
        XCTAssertNil(OpenRequest(arguments: []))
        XCTAssertNil(OpenRequest(arguments: ["a.png", "https://example.org/b.png"]))
        for names in [["nothing.png"], ["nothing.png", "nowhere"]] {
            do {
                _ = try await open(names)
                XCTFail("there is something at \(names)")
            } catch Catalog.LoadingError.notRead(.notFound(let path)) {
                XCTAssertEqual(path, folder.appending(path: "nothing.png").path)
            }
        }
    }

    func testSeveralCatalogsAreNotOpenedTogether() async throws {
        for name in ["a.csv", "b.csv"] { try write(name, Data("name,url\nOne,a.jpg\n".utf8)) }
        do {
            _ = try await open(["a.csv", "b.csv", "nowhere"])
            XCTFail("catalogs are no photos")
        } catch Catalog.LoadingError.notRead(.notTogether) {}
        // A picture among them is shown.
        try write("c.png", Self.image())
        let opened = try await open(["a.csv", "c.png"])
        XCTAssertEqual(opened.catalog.count, 2)
    }

    /// As Windows in Korea wrote names, which old archives keep.
    func testAFileWhoseNameIsNotUTF8IsSaidToBeThat() async throws {
        let name = [0xC7, 0xD1] + Array(".png".utf8)
        let path = Array(folder.path.utf8) + Array("/".utf8) + name + [0]
        let descriptor = Glibc.open(
            path.map { CChar(bitPattern: $0) }, O_CREAT | O_WRONLY | O_CLOEXEC, 0o600)
        XCTAssertGreaterThanOrEqual(descriptor, 0)
        close(descriptor)
        let opened = try await XCTUnwrap(OpenRequest(arguments: [folder.path])).load()
        XCTAssertEqual(opened.catalog.map(\.content), [.failure(.fileNameNotUTF8)])
        let repaired = folder.path + "/" + String(decoding: name, as: UTF8.self)
        for argument in [repaired, "file://\(folder.path)/%C7%D1.png"] {
            do {
                _ = try await XCTUnwrap(OpenRequest(arguments: [argument])).load()
                XCTFail("\(argument) is not there")
            } catch Catalog.LoadingError.notRead(.nameNotUTF8(let path)) {
                XCTAssertEqual(path, repaired)
            }
        }
    }

    // MARK: Helpers

    private func open(_ names: [String]) async throws -> OpenedPhotos {
        let paths = names.map { folder.appending(path: $0).path }
        return try await XCTUnwrap(OpenRequest(arguments: paths)).load()
    }

    private func write(_ name: String, _ data: Data) throws {
        let file = folder.appending(path: name)
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try data.write(to: file)
    }

    /// The beginning of a PNG, by which it is known.
    private static func image() -> Data { Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) }

    func testAnotherProcessIsAskedForTheSame() throws {
        let here = FileManager.default.currentDirectoryPath
        func arguments(_ words: [String]) throws -> [String] { try XCTUnwrap(OpenRequest(arguments: words)).arguments }
        XCTAssertEqual(try arguments(["a b.csv"]), [here + "/a b.csv"])
        XCTAssertEqual(try arguments(["/a.png", "../b.png"]), ["/a.png", here + "/../b.png"])
        XCTAssertEqual(try arguments(["file:///a%20b.png"]), ["/a b.png"])
        XCTAssertEqual(try arguments(["https://example.org/a.csv?b=1"]), ["https://example.org/a.csv?b=1"])
        XCTAssertEqual(try arguments(["-"]), ["-"])
        for words in [["a.csv"], ["a", "b"], ["https://example.org/"], ["-"]] {
            let request = try XCTUnwrap(OpenRequest(arguments: words))
            let again = try XCTUnwrap(OpenRequest(arguments: request.arguments))
            XCTAssertEqual(again.arguments, request.arguments)
            XCTAssertEqual(again.isReadOnce, words == ["-"])
        }
    }

    func testACatalogIsReadFromAnotherProcess() async throws {
        let pipe = Pipe()
        try pipe.fileHandleForWriting.write(contentsOf: Data("name,url\nNear,near.png\n".utf8))
        try pipe.fileHandleForWriting.close()
        let request = OpenRequest.passed(
            PassedInput(owning: dup(pipe.fileHandleForReading.fileDescriptor), currentDirectory: "/elsewhere"))
        XCTAssertTrue(request.isReadOnce)
        let opened = try await request.load()
        XCTAssertEqual(opened.catalog.origin, .standardInput(currentDirectory: "/elsewhere"))
        XCTAssertEqual(opened.catalog.count, 1)
        XCTAssertEqual(opened.source, .standardInput)
    }
}
