import Foundation
import Operations
import SampleServer
import Transfers
import XCTest

/// The server as its clients see it.
final class ThrottledServerTests: XCTestCase {
    private static let fast = NetworkSpeed(latency: .zero, bytesPerSecond: 100_000_000)
    private var folder = URL(filePath: "/")

    override func setUpWithError() throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "classicphotos-sample-\(UUID())")
        let inside = folder.appending(path: "served/sample")
        try FileManager.default.createDirectory(at: inside, withIntermediateDirectories: true)
        try Data("name,url\nOne,sample/1.jpg\n".utf8).write(to: folder.appending(path: "served/sample.csv"))
        try Data((0..<200).map { UInt8($0) }).write(to: inside.appending(path: "1.jpg"))
        try Data("secret".utf8).write(to: folder.appending(path: "secret.csv"))
        try Data("secret".utf8).write(to: inside.appending(path: ".hidden.jpg"))
        try Data("secret".utf8).write(to: inside.appending(path: "notes.txt"))
        try FileManager.default.createSymbolicLink(
            at: inside.appending(path: "link.csv"), withDestinationURL: folder.appending(path: "secret.csv"))
    }

    override func tearDownWithError() throws {
        try FileManager.default.removeItem(at: folder)
    }

    private func server(_ speed: NetworkSpeed = fast) throws -> ThrottledServer {
        try ThrottledServer(folder: folder.appending(path: "served").path, speed: speed)
    }

    func testWhatIsThereIsSentWhole() throws {
        let server = try server()
        let (head, body) = try Self.ask(server, "GET /sample/1.jpg")
        XCTAssertTrue(head.hasPrefix("HTTP/1.1 200"), head)
        XCTAssertEqual(body, Data((0..<200).map { UInt8($0) }))
        for line in [
            "Content-Length: 200", "Content-Type: image/jpeg", "Cache-Control: no-store", "Accept-Ranges: bytes",
        ] {
            XCTAssertTrue(head.contains(line), head)
        }
        let (catalog, _) = try Self.ask(server, "GET /sample.csv")
        XCTAssertTrue(catalog.contains("Content-Type: text/csv; charset=utf-8"), catalog)
    }

    func testWhatItIsToldToMissIsMissing() throws {
        let server = try server()
        server.missing = ["/sample/1.jpg"]
        XCTAssertTrue(try Self.ask(server, "GET /sample/1.jpg?0").0.hasPrefix("HTTP/1.1 404"))
        XCTAssertTrue(try Self.ask(server, "GET /sample.csv").0.hasPrefix("HTTP/1.1 200"))
        server.missing = []
        XCTAssertTrue(try Self.ask(server, "GET /sample/1.jpg?0").0.hasPrefix("HTTP/1.1 200"))
    }

    func testAHeadHasNoBody() throws {
        let (head, body) = try Self.ask(try server(), "HEAD /sample/1.jpg")
        XCTAssertTrue(head.hasPrefix("HTTP/1.1 200") && head.contains("Content-Length: 200"), head)
        XCTAssertTrue(body.isEmpty)
    }

    func testAPartOfAFile() throws {
        let server = try server()
        for (range, expected) in [
            ("0-0", 0..<1), ("10-19", 10..<20), ("190-", 190..<200), ("-5", 195..<200), ("150-999", 150..<200),
        ] {
            let (head, body) = try Self.ask(server, "GET /sample/1.jpg", ["Range: bytes=\(range)"])
            XCTAssertTrue(head.hasPrefix("HTTP/1.1 206"), head)
            let said = "Content-Range: bytes \(expected.lowerBound)-\(expected.upperBound - 1)/200"
            XCTAssertTrue(head.contains(said), head)
            XCTAssertEqual(body, Data(expected.map { UInt8($0) }), range)
        }
        let (beyond, nothing) = try Self.ask(server, "GET /sample/1.jpg", ["Range: bytes=200-"])
        XCTAssertTrue(beyond.hasPrefix("HTTP/1.1 416") && beyond.contains("Content-Range: bytes */200"), beyond)
        XCTAssertTrue(nothing.isEmpty)
        let (several, all) = try Self.ask(server, "GET /sample/1.jpg", ["Range: bytes=0-1,5-6"])
        XCTAssertTrue(several.hasPrefix("HTTP/1.1 200"), several)
        XCTAssertEqual(all.count, 200)
    }

    func testARangeOfAnotherVersionIsTheWholeFile() throws {
        let server = try server()
        let (head, _) = try Self.ask(server, "HEAD /sample/1.jpg")
        let tag = try XCTUnwrap(head.firstMatch(of: /ETag: (\S+)/)?.1)
        let (part, _) = try Self.ask(server, "GET /sample/1.jpg", ["Range: bytes=10-19", "If-Range: \(tag)"])
        XCTAssertTrue(part.hasPrefix("HTTP/1.1 206"), part)
        let (whole, body) = try Self.ask(server, "GET /sample/1.jpg", ["Range: bytes=10-19", "If-Range: \"other\""])
        XCTAssertTrue(whole.hasPrefix("HTTP/1.1 200"), whole)
        XCTAssertEqual(body.count, 200)
    }

    func testNothingElseIsSent() throws {
        let server = try server()
        let paths = [
            "/", "/nothing.jpg", "/sample", "/sample/", "/../secret.csv", "/sample/../../secret.csv",
            "/%2e%2e/secret.csv", "/sample/%2e%2e%2f%2e%2e%2fsecret.csv", "//secret.csv", "/sample//1.jpg",
            "/sample/.hidden.jpg", "/sample/notes.txt", "/sample/link.csv", "/sample/1.jpg%00.csv", "/sample/1.jpg/",
            "/./sample.csv",
        ]
        for path in paths {
            let (head, body) = try Self.ask(server, "GET \(path)")
            // Dots may be taken out of a path, as long as that does not lead out of the folder.
            XCTAssertFalse(String(decoding: body, as: UTF8.self).contains("secret"), path)
            if path != "/./sample.csv" { XCTAssertTrue(head.hasPrefix("HTTP/1.1 40"), "\(path): \(head)") }
        }
        for method in ["POST", "PUT", "DELETE"] {
            let (head, _) = try Self.ask(server, "\(method) /sample.csv", ["Content-Length: 0"])
            XCTAssertTrue(head.hasPrefix("HTTP/1.1 405") && head.contains("Allow: GET, HEAD"), head)
        }
    }

    func testAnAnswerWaitsForTheLatencyAsItIsAtPresent() throws {
        let server = try server(NetworkSpeed(latency: .seconds(3_600)))
        let connection = try Connection(server)
        try connection.send("GET /sample/1.jpg")
        XCTAssertFalse(connection.hasAnswer, "an hour has not gone by")
        server.speed = Self.fast
        XCTAssertTrue(try connection.answer().0.hasPrefix("HTTP/1.1 200"))
    }

    func testAnAnswerComesByTheRateAsItIsAtPresent() throws {
        let server = try server(NetworkSpeed(latency: .zero, bytesPerSecond: 1))
        let connection = try Connection(server)
        try connection.send("GET /sample/1.jpg")
        let (head, some) = try connection.answer(atLeast: 1)
        XCTAssertTrue(head.contains("Content-Length: 200"), head)
        XCTAssertLessThan(some.count, 200, "two hundred seconds have not gone by")
        server.speed = Self.fast
        XCTAssertEqual(try connection.answer().1.count, 200)
    }

    func testEachConnectionHasARateOfItsOwn() throws {
        let server = try server(NetworkSpeed(latency: .zero, bytesPerSecond: 1))
        let slow = try Connection(server)
        try slow.send("GET /sample/1.jpg")
        _ = try slow.answer(atLeast: 0)
        let others = try (0..<8).map { _ in try Connection(server) }
        for other in others { try other.send("GET /sample/1.jpg") }
        for other in others { XCTAssertGreaterThanOrEqual(try other.answer(atLeast: 1).1.count, 1) }
        server.speed = Self.fast
        for connection in others + [slow] { XCTAssertEqual(try connection.answer().1.count, 200) }
    }

    func testAClientThatLeavesIsForgotten() throws {
        let server = try server(NetworkSpeed(latency: .zero, bytesPerSecond: 1))
        var leaving: Connection? = try Connection(server)
        try leaving?.send("GET /sample/1.jpg")
        _ = try leaving?.answer(atLeast: 1)
        leaving = nil
        server.speed = Self.fast
        XCTAssertTrue(try Self.ask(server, "GET /sample.csv").0.hasPrefix("HTTP/1.1 200"))
    }

    func testWhatWasSentIsNotKept() throws {
        let size = 4_000_000
        try Data(repeating: 7, count: size).write(to: folder.appending(path: "served/large.jpg"))
        let server = try server(NetworkSpeed(latency: .zero, bytesPerSecond: 1_000_000_000))
        func ask() throws { XCTAssertEqual(try Self.ask(server, "GET /large.jpg").1.count, size) }
        // What a first answer needs stays.
        for _ in 0..<10 { try ask() }
        let before = try Self.residentBytes()
        for _ in 0..<60 { try ask() }
        XCTAssertLessThan(try Self.residentBytes() - before, 20 * size, "sixty of them were sent")
    }

    func testNobodyListensAfterIt() throws {
        var server: ThrottledServer? = try server(NetworkSpeed(latency: .seconds(3_600)))
        let address = try XCTUnwrap(server?.address)
        let connection = try Connection(XCTUnwrap(server))
        try connection.send("GET /sample.csv")
        server = nil
        XCTAssertNil(try? Connection(address))
        XCTAssertThrowsError(try connection.answer())
    }

    func testWithoutAFolderThereIsNoServer() {
        XCTAssertThrowsError(try ThrottledServer(folder: folder.appending(path: "nowhere").path)) {
            XCTAssertTrue("\($0)".contains("there is no folder"), "\($0)")
        }
    }

    func testTransfersOfACatalogFromItReachItAndNothingElseOfThisMachine() throws {
        let server = try server()
        let other = try self.server()
        let sender = try XCTUnwrap(IPAddress("127.0.0.1"))
        let addressGuard = AddressGuard(sender: server.address.appending(path: "sample.csv"), address: sender)
        let photo = server.address.appending(path: "sample/1.jpg")
        XCTAssertEqual(try Self.download(photo, addressGuard), 200)
        for host in ["127.0.0.2", "localhost"] {
            let elsewhere = try XCTUnwrap(URL(string: "http://\(host):\(other.address.port ?? 0)/sample/1.jpg"))
            XCTAssertThrowsError(try Self.download(elsewhere, addressGuard), host) {
                guard case .forbiddenAddress? = $0 as? TransferError else { return XCTFail("\(host): \($0)") }
            }
        }
    }

    // MARK: Helpers

    /// How much memory this program has.
    private static func residentBytes() throws -> Int {
        let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
        let line = try XCTUnwrap(status.firstMatch(of: /VmRSS:\s+(\d+) kB/))
        return try XCTUnwrap(Int(line.1)) * 1_024
    }

    private static func download(_ address: URL, _ addressGuard: AddressGuard) throws -> Int {
        let operation = DownloadOperation(
            DownloadRequest(url: address, addressGuard: addressGuard), client: TransferClient())
        OperationQueue().addOperations([operation], waitUntilFinished: true)
        return try XCTUnwrap(operation.takeResult()).get().body.count
    }

    private static func ask(
        _ server: ThrottledServer, _ request: String, _ headers: [String] = []
    ) throws -> (String, Data) {
        let connection = try Connection(server)
        try connection.send(request, headers)
        return try connection.answer()
    }
}
