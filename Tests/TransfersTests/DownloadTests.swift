import Foundation
import Operations
import OperationsCore
import OperationsTesting
import TestServers
import Transfers
import XCTest

/// What a download brings when all goes well.
final class DownloadTests: DownloadTestCase {
    private var folder: URL!

    override func setUpWithError() throws {
        try super.setUpWithError()
        folder = FileManager.default.temporaryDirectory.appending(path: "downloads-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    override func tearDownWithError() throws {
        try FileManager.default.removeItem(at: folder)
    }

    private func nginx(_ transport: NginxServer.Transport = .http) throws -> NginxServer {
        try XCTSkipIf(NginxServer.executable == nil, "nginx is not installed")
        let settings = "location = /connection { return 200 \"$server_protocol $connection\"; }"
        return try NginxServer(root: folder, transport: transport, settings: settings)
    }

    func testResponse() throws {
        server.serve(Data("hello".utf8), at: "/hello", headers: ["Content-Type": "text/x-greeting"])
        let response = try download(server.url("/hello")).get()
        XCTAssertEqual(response.body, Data("hello".utf8))
        XCTAssertEqual(response.statusCode, 200)
        XCTAssertEqual(response.contentType, "text/x-greeting")
        XCTAssertEqual(response.url, server.url("/hello"))
        XCTAssertEqual(response.metrics.bytesReceived, 5)
        XCTAssertGreaterThan(response.metrics.timeToFirstByte, .zero)
        XCTAssertGreaterThanOrEqual(response.metrics.total, response.metrics.timeToFirstByte)
    }

    func testTheResultCanBeTakenOnceAndNotBeforeTheEnd() throws {
        let operation = operation(server.url(.gate))
        queue.addOperation(operation)
        XCTAssertTrue(server.waitForRequests(Fault.gate.rawValue))
        XCTAssertNil(operation.takeResult())
        server.openGate()
        operation.waitUntilFinished()
        XCTAssertEqual(try operation.takeResult()?.get().body, FaultServer.okBody)
        XCTAssertNil(operation.takeResult())
        XCTAssertNil(operation.result)
        XCTAssertEqual(operation.receivedByteCount, FaultServer.okBody.count)
    }

    func testAFailureIsTheOperationsErrorAndACancelIsNone() {
        let failed = operation(server.url("/status/404"))
        let cut = operation(server.url(.halfBody))
        let cancelled = operation(server.url(.gate))
        queue.addOperations([failed, cut, cancelled], waitUntilFinished: false)
        XCTAssertTrue(server.waitForRequests(Fault.gate.rawValue))
        cancelled.cancel()
        queue.waitUntilAllOperationsAreFinished()
        XCTAssertEqual(failed.error as? TransferError, .http(status: 404))
        XCTAssertEqual(cut.error as? TransferError, .truncated)
        XCTAssertGreaterThan(cut.receivedByteCount, 0)
        XCTAssertNil(cancelled.error)
    }

    func testConnectionsAreUsedAgain() throws {
        for _ in 0..<20 { XCTAssertNoThrow(try download(server.url("/ok")).get()) }
        XCTAssertEqual(server.requestCount("/ok"), 20)
        XCTAssertEqual(server.connectionCount, 1)
        // An answer that failed but was read to its end keeps its connection, too.
        _ = download(server.url("/status/404"))
        _ = download(server.url("/redirect/1"))
        XCTAssertEqual(server.connectionCount, 1)
    }

    /// A catalog may come from more hosts than there are transfers at a time.
    func testConnectionsAreKeptForFourTimesAsManyHostsAsThereAreTransfers() throws {
        useClient(.init(transfersInAll: 3))
        let servers = try (0..<12).map { try FaultServer(address: "127.0.0.\(40 + $0)") }
        defer { for server in servers { server.stop() } }
        for _ in 0..<3 {
            let operations = servers.map { operation($0.url("/ok")) }
            run(operations)
            for operation in operations { XCTAssertEqual(try operation.result?.get().body, FaultServer.okBody) }
        }
        XCTAssertEqual(servers.map(\.connectionCount), servers.map { _ in 1 })
        // One more, and the one that was not used for longest is closed.
        XCTAssertNoThrow(try download(server.url("/ok")).get())
        run(servers.map { operation($0.url("/ok")) })
        XCTAssertGreaterThan(servers.map(\.connectionCount).reduce(0, +), servers.count)
    }

    func testLimitPerHostAndThousandsWaiting() {
        useClient(.init(transfersPerHost: 3))
        let held = (0..<20).map { _ in operation(server.url(.gate)) }
        queue.addOperations(held, waitUntilFinished: false)
        XCTAssertTrue(server.waitForRequests(Fault.gate.rawValue, count: 3))
        let others = (0..<2_000).map { _ in operation(server.url("/ok")) }
        queue.addOperations(others, waitUntilFinished: false)
        server.openGate()
        queue.waitUntilAllOperationsAreFinished()
        for operation in held + others { XCTAssertNil(operation.result?.error) }
        XCTAssertEqual(server.peakConnections, 3)
        XCTAssertEqual(server.requestCount("/ok"), 2_000)
    }

    func testWaitingForATurnIsNotTheServersFault() {
        useClient(.init(transfersPerHost: 1))
        let limits = TransferLimits.limits(idle: 6, total: 6)
        // The last one waits longer than both limits.
        let operations = (0..<16).map { _ in operation(server.url(.slowStart, query: "ms=450"), limits) }
        queue.addOperations(operations, waitUntilFinished: true)
        for operation in operations { XCTAssertNil(operation.result?.error) }
    }

    func testRequestHead() throws {
        useClient(.init(userAgent: "Test/1.0"))
        server.serve(Data("a".utf8), at: "/cookie", headers: ["Set-Cookie": "a=b; Path=/"])
        _ = try download(server.url("/cookie")).get()
        let address = try url("http://user:pass%20word@127.0.0.1:\(server.port)/head")
        let response = try download(address).get()
        let head = String(decoding: response.body, as: UTF8.self).lowercased()
        XCTAssertTrue(head.contains("user-agent: test/1.0"), head)
        XCTAssertTrue(head.contains("accept-encoding: "), head)
        XCTAssertTrue(head.contains("gzip"), head)
        XCTAssertFalse(head.contains("cookie:"), head)
        let credentials = Data("user:pass word".utf8).base64EncodedString().lowercased()
        XCTAssertTrue(head.contains("authorization: basic \(credentials)"), head)
        XCTAssertEqual(response.url, server.url("/head"), "the password is nobody's business")
    }

    func testCredentialsGoToTheirOwnOriginOnly() throws {
        let other = try FaultServer()
        defer { other.stop() }
        let base = "http://user:secret@127.0.0.1:\(server.port)"
        let same = try download(try url("\(base)/redirect-to?/head")).get()
        XCTAssertTrue(String(decoding: same.body, as: UTF8.self).contains("Authorization: Basic"))
        let away = try download(try url("\(base)/redirect-to?\(other.url("/head"))")).get()
        XCTAssertFalse(String(decoding: away.body, as: UTF8.self).contains("Authorization"))
    }

    func testCompressedBodies() throws {
        let nginx = try nginx()
        defer { nginx.stop() }
        try Data(repeating: 65, count: 900_000).write(to: folder.appending(path: "text.txt"))
        let response = try download(nginx.url("/gzip/text.txt")).get()
        XCTAssertEqual(response.body, Data(repeating: 65, count: 900_000))
        XCTAssertLessThan(response.metrics.bytesReceived, 10_000)
        XCTAssertEqual(failure(nginx.url("/gzip/text.txt"), .limits(bytes: 899_999)), .tooLarge(limit: 899_999))
        XCTAssertNil(failure(nginx.url("/gzip/text.txt"), .limits(bytes: 900_000)))
    }

    func testEachCompressionThatIsAskedForIsUnderstood() throws {
        let head = String(decoding: try download(server.url("/head")).get().body, as: UTF8.self)
        // "hello" by RFC 1952, RFC 7932 and RFC 8878, each in the form that does not compress.
        let hello: [String: [UInt8]] = [
            "gzip": [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3, 1, 5, 0, 0xFA, 0xFF] + Array("hello".utf8)
                + [0x86, 0xA6, 0x10, 0x36, 5, 0, 0, 0],
            "br": [0x0B, 2, 0x80] + Array("hello".utf8) + [3],
            "zstd": [0x28, 0xB5, 0x2F, 0xFD, 0x20, 5, 0x29, 0, 0] + Array("hello".utf8),
        ]
        XCTAssertTrue(head.contains("gzip"), head)
        for (encoding, body) in hello where head.contains(encoding) {
            server.serve(Data(body), at: "/hello", headers: ["Content-Encoding": encoding])
            let response = try download(server.url("/hello")).get()
            XCTAssertEqual(String(decoding: response.body, as: UTF8.self), "hello", encoding)
            XCTAssertEqual(response.metrics.bytesReceived, body.count, encoding)
        }
    }

    func testNginxAnswers() throws {
        let nginx = try nginx()
        defer { nginx.stop() }
        try Data("picture".utf8).write(to: folder.appending(path: "a.jpg"))
        let response = try download(nginx.url("/redirect/a.jpg")).get()
        XCTAssertEqual(response.body, Data("picture".utf8))
        XCTAssertEqual(response.contentType, "image/jpeg")
        XCTAssertEqual(response.url, nginx.url("/a.jpg"))
        XCTAssertEqual(failure(nginx.url("/missing.jpg")), .http(status: 404))
        XCTAssertEqual(failure(nginx.url("/status/500")), .http(status: 500))
    }

    func testLargeBodies() throws {
        var generator = SeededRandom(seed: 7)
        let body = Data((0..<500_000).flatMap { _ in withUnsafeBytes(of: generator.next(), Array.init) })
        server.serve(body, at: "/large")
        XCTAssertEqual(try download(server.url("/large"), .limits(bytes: 5_000_000)).get().body, body)
    }

    func testCertificateNobodyKnowsIsUnreachable() throws {
        let nginx = try nginx(.https)
        defer { nginx.stop() }
        XCTAssertEqual(failure(nginx.url("/status/404"))?.kind, "unreachable")
    }

    func testHTTP2OverTLS() throws {
        let nginx = try nginx(.https)
        defer { nginx.stop() }
        try FaultServer.okBody.write(to: folder.appending(path: "ok"))
        useClient(.init(transfersPerHost: 8, certificateAuthorities: nginx.certificate?.path))
        let first = try download(nginx.url("/connection")).get().body
        XCTAssertTrue(first.starts(with: Data("HTTP/2.0 ".utf8)), String(decoding: first, as: UTF8.self))
        let files = (0..<200).map { _ in operation(nginx.url("/ok")) }
        let connections = (0..<200).map { _ in operation(nginx.url("/connection")) }
        queue.addOperations(files + connections, waitUntilFinished: true)
        for operation in files { XCTAssertEqual(try operation.result?.get().body, FaultServer.okBody) }
        // All of them share the first one's connection.
        for operation in connections { XCTAssertEqual(try operation.result?.get().body, first) }
    }
}
