import Catalogs
import Foundation
import TestServers
import Transfers
import XCTest

/// Catalogs come from files, folders, pipes and standard input. These tests block on the file system.
final class CatalogLoadingTests: XCTestCase {
    private var folder = URL(filePath: "/")

    override func setUpWithError() throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "catalog-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    override func tearDownWithError() throws { try FileManager.default.removeItem(at: folder) }

    private func write(_ name: String, _ text: String = "") throws -> String {
        let path = folder.appending(path: name).path
        try Data(text.utf8).write(to: URL(filePath: path))
        return path
    }

    func testACatalogThatIsGivenUpIsNotTransferredToItsEnd() async throws {
        let server = try FaultServer()
        defer { server.stop() }
        let loading = Task { try await Catalog.load(from: .address(server.url(.stallMidBody))) }
        XCTAssertTrue(server.waitForRequests(Fault.stallMidBody.rawValue))
        loading.cancel()
        do {
            _ = try await loading.value
            XCTFail("a catalog that never ended was loaded")
        } catch Catalog.LoadingError.notFetched(.cancelled) {}
    }

    /// A server that is busy for a moment, and one that cuts the catalog off, cost another request and no more.
    func testACatalogIsTriedAgain() async throws {
        let server = try FaultServer()
        defer { server.stop() }
        let text = Data("name,url\nDune,https://example.org/dune.jpg\n".utf8)
        server.serve(
            FaultScript(
                text, headers: ["ETag": "\"1\""],
                [.status(503, ["Retry-After": "1"]), .cut(after: 20), .answer]), at: "/catalog.csv")
        let catalog = try await Catalog.load(from: .address(server.url("/catalog.csv")))
        XCTAssertEqual(catalog.map(\.name), ["Dune"])
        XCTAssertEqual(server.requestCount("/catalog.csv"), 3)
        server.serve(FaultScript(text, [.status(503), .answer]), at: "/once.csv")
        let error = await failure(loading: server.url("/once.csv"), TransferLimits())
        guard case .notFetched(.http(status: 503)) = error else { return XCTFail("\(String(describing: error))") }
        XCTAssertEqual(server.requestCount("/once.csv"), 1)
    }

    /// Somebody who waits is not held by what the server asks for, and hears the reason in the end.
    func testTheWaitForAnotherTryCanBeGivenUp() async throws {
        let server = try FaultServer()
        defer { server.stop() }
        server.serve(FaultScript(Data(), [.status(503, ["Retry-After": "50"])]), at: "/busy.csv")
        let started = ContinuousClock.now
        let loading = Task { try await Catalog.load(from: .address(server.url("/busy.csv"))) }
        XCTAssertTrue(server.waitForRequests("/busy.csv"))
        loading.cancel()
        let result = await loading.result
        guard case .failure(let cancellation) = result,
            case Catalog.LoadingError.notFetched(.cancelled) = cancellation
        else { return XCTFail("\(result)") }
        let error = await failure(
            loading: server.url("/busy.csv"), TransferLimits(), retries: 2, longestRetryAfter: .seconds(5))
        guard case .notFetched(let reason) = error else { return XCTFail("\(String(describing: error))") }
        XCTAssertEqual(reason, .retryLater(status: 503, after: .seconds(50)))
        XCTAssertLessThan(started.duration(to: .now), .seconds(30))
    }

    private func failure(
        loading address: URL, _ limits: TransferLimits, retries: Int = 0, longestRetryAfter: Duration = .seconds(60)
    ) async -> Catalog.LoadingError? {
        do throws(Catalog.LoadingError) {
            _ = try await Catalog.load(
                from: .address(address), limits: limits, retries: retries, longestRetryAfter: longestRetryAfter)
            return nil
        } catch {
            return error
        }
    }

    func testACatalogThatTricklesEndsAtItsLimit() async throws {
        let server = try FaultServer()
        defer { server.stop() }
        let started = ContinuousClock.now
        let limits = TransferLimits(totalTimeout: .seconds(2))
        let error = await failure(loading: server.url(.drip, query: "ms=400"), limits)
        guard case .notFetched(.timeout(.total, .seconds(2))) = error else {
            return XCTFail("\(String(describing: error))")
        }
        XCTAssertGreaterThanOrEqual(started.duration(to: .now), .seconds(2))
        XCTAssertEqual(server.requestCount(Fault.drip.rawValue), 1)
    }

    func testAFileIsRelativeToItsFolder() throws {
        let path = try write("list of photos.csv", "https://example.org/1.jpg\nb c.jpg\n")
        let catalog = try Catalog.load(contentsOf: path)
        XCTAssertEqual(catalog.origin, .file(path: path))
        XCTAssertEqual(try catalog[1].content.get().url.path, folder.appending(path: "b c.jpg").path)
    }

    func testAFolderGivesItsPicturesSorted() throws {
        for name in [
            "b10.JPG", "b2.jpeg", ".hidden.png", "notes.txt", "http:x.png", "a%20#.webp", "ảnh.avif", "d.MPO", "e.apng",
            "f.heics",
            "g.avifs", "h.tga",
        ] {
            _ = try write(name)
        }
        try FileManager.default.createDirectory(
            at: folder.appending(path: "album.jpg"), withIntermediateDirectories: true)
        try FileManager.default.createSymbolicLink(
            at: folder.appending(path: "c.gif"), withDestinationURL: folder.appending(path: "b2.jpeg"))
        try FileManager.default.createSymbolicLink(
            at: folder.appending(path: "lost.gif"), withDestinationURL: folder.appending(path: "nowhere"))
        let catalog = try Catalog.load(contentsOf: folder.path)
        XCTAssertEqual(catalog.format, .folder)
        let names = catalog.map(\.name)
        XCTAssertEqual(
            names,
            [
                "a%20#.webp", "ảnh.avif", "b2.jpeg", "b10.JPG", "c.gif", "d.MPO", "e.apng", "f.heics", "g.avifs",
                "http:x.png",
            ])
        for row in catalog {
            XCTAssertEqual(try row.content.get().url.path, folder.path + "/" + row.name)
            XCTAssertEqual(row.place, CatalogPlace())
        }
    }

    func testAPipeAndStandardInputAreReadToTheirEnd() throws {
        let path = folder.appending(path: "pipe").path
        XCTAssertEqual(mkfifo(path, 0o600), 0)
        let text = (0..<100_000).map { "photos/\($0).jpg\n" }.joined()
        let writer = Thread { try? Data(text.utf8).write(to: URL(filePath: path), options: []) }
        writer.start()
        let piped = try Catalog.load(contentsOf: path)
        XCTAssertEqual(piped.count, 100_000)
        // Its photos are in no folder of pipes.
        XCTAssertEqual(piped.origin, .standardInput(currentDirectory: FileManager.default.currentDirectoryPath))

        let file = try FileHandle(forReadingFrom: URL(filePath: try write("in", text)))
        let catalog = try Catalog.load(standardInput: file.fileDescriptor)
        XCTAssertEqual(catalog.count, 100_000)
        let here = FileManager.default.currentDirectoryPath
        XCTAssertEqual(catalog.origin, .standardInput(currentDirectory: here))
        XCTAssertEqual(try catalog[99_999].content.get().url.path, here + "/photos/99999.jpg")
    }

    func testALargeFileIsWholeThoughItsReadPartIsGivenBack() throws {
        // Some megabytes; a sanitizer takes ten times as long.
        let count = ProcessInfo.processInfo.environment["SANITIZED"] == nil ? 300_000 : 100_000
        let entries = (0..<count).map { "{\"name\": \"Photo \($0)\", \"url\": \"photos/\($0).jpg\"}" }
        let catalog = try Catalog.load(contentsOf: write("large", "[\n" + entries.joined(separator: ",\n") + "]"))
        XCTAssertEqual(catalog.count, count)
        for (index, row) in catalog.enumerated() where index % 997 == 0 {
            XCTAssertEqual(row.name, "Photo \(index)")
            XCTAssertEqual(row.address, "photos/\(index).jpg")
            XCTAssertEqual(row.place.line, index + 2)
        }
    }

    func testWhatCannotBeRead() throws {
        func error(_ path: String, _ limits: CatalogLimits = CatalogLimits()) -> CatalogError? {
            do throws(CatalogError) {
                _ = try Catalog.load(contentsOf: path, limits: limits)
                return nil
            } catch {
                return error
            }
        }
        let missing = folder.path + "/missing"
        XCTAssertEqual(error(missing), .notFound(path: missing))
        XCTAssertEqual(error("/dev/null"), .isDevice(path: "/dev/null"))
        let path = try write("list", "/a.jpg\n")
        XCTAssertEqual(error(path, CatalogLimits(maximumBytes: 3)), .tooLarge(limit: 3))
        XCTAssertEqual(error(path + "/x"), .notFound(path: path + "/x"))
        let loop = folder.path + "/loop"
        try FileManager.default.createSymbolicLink(atPath: loop, withDestinationPath: loop)
        guard case .cannotRead(loop, let reason) = error(loop) else { return XCTFail("a loop of links was read") }
        XCTAssertFalse(reason.isEmpty)
    }
}
