import Foundation
import Glibc
import Operations
import OperationsCore
import OperationsTesting
import TestServers
import Transfers
import XCTest

/// Putting files to servers.
final class UploadTests: DownloadTestCase {
    private var folder: URL!
    // Static, as XCTest makes an instance for each of the tests, before it runs or lists any.
    private static let small = SeededRandom.data(100_000)
    private static let large = SeededRandom.data(4_000_000)

    override func setUpWithError() throws {
        try super.setUpWithError()
        folder = FileManager.default.temporaryDirectory.appending(path: "upload-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder.appending(path: "dav"), withIntermediateDirectories: true)
    }

    override func tearDownWithError() throws {
        try FileManager.default.removeItem(at: folder)
    }

    private func request(_ url: URL, _ source: UploadRequest.Source) -> UploadRequest {
        UploadRequest(url: url, source: source, limits: .test)
    }

    private func run(_ request: UploadRequest) -> UploadOperation {
        let operation = UploadOperation(request, client: client)
        queue.addOperations([operation], waitUntilFinished: true)
        return operation
    }

    private func file(_ body: Data) throws -> String {
        let path = folder.appending(path: UUID().uuidString)
        try body.write(to: path)
        return path.path
    }

    func testBytesAndFilesArrive() throws {
        for body in [Self.small, Self.large, Data()] {
            for source in [UploadRequest.Source.data(body), .file(path: try file(body))] {
                let response = try run(request(server.url("/put"), source)).result?.get()
                XCTAssertEqual(response?.statusCode, 201)
                XCTAssertEqual(response?.entityTag, "\"put\"")
                XCTAssertEqual(response?.url, server.url("/put"))
                XCTAssertEqual(response?.metrics.bytesSent, body.count)
                XCTAssertEqual(server.uploaded(at: "/put"), body)
            }
        }
        // A slice does not begin at zero.
        XCTAssertNil(run(request(server.url("/put"), .data(Self.small[500..<900]))).result?.error)
        XCTAssertEqual(server.uploaded(at: "/put"), Data(Self.small[500..<900]))
    }

    func testHeaders() throws {
        var request = request(server.url("/put"), .data(Self.small))
        request.contentType = "image/jpeg"
        request.headers = ["x-amz-acl": "private", "If-None-Match": "*", "X-Empty": ""]
        XCTAssertNil(run(request).result?.error)
        for (name, value) in [
            "Content-Type": "image/jpeg", "x-amz-acl": "private", "If-None-Match": "*", "X-Empty": "",
        ] {
            XCTAssertEqual(server.requestHeaders(name, at: "/put"), [value], name)
        }
        for (name, value) in [("A", "b\r\nC: d"), ("A:", "b"), ("A B", "c"), ("", "a"), ("A", "\u{0}")] {
            request.headers = [name: value]
            XCTAssertEqual(run(request).result?.error?.kind, "protocol", name)
        }
        // The next download is one.
        XCTAssertEqual(try download(server.url("/ok")).get().body, FaultServer.okBody)
    }

    func testOnlyLargeBodiesAreAskedAboutFirst() throws {
        XCTAssertNil(run(request(server.url("/put"), .data(Self.small))).result?.error)
        XCTAssertNil(run(request(server.url("/put"), .data(Self.large))).result?.error)
        XCTAssertEqual(server.requestHeaders("Expect", at: "/put"), [nil, "100-continue"])
    }

    func testAServerThatDoesNotWantToBeAskedGetsTheBody() throws {
        for address in ["/put-unasked", "/put-307?/put-unasked"] {
            let response = try run(request(server.url(address), .data(Self.large))).result?.get()
            XCTAssertEqual(response?.statusCode, 201)
            XCTAssertEqual(response?.metrics.bytesSent, Self.large.count)
            XCTAssertEqual(server.uploaded(at: "/put-unasked"), Self.large)
        }
        XCTAssertEqual(
            server.requestHeaders("Expect", at: "/put-unasked"), ["100-continue", nil, "100-continue", nil])
        // One that says the same without having been asked means something else.
        for body in [Self.small, Self.large] {
            XCTAssertEqual(run(request(server.url("/put-417"), .data(body))).result?.error, .http(status: 417))
        }
        XCTAssertEqual(server.requestHeaders("Expect", at: "/put-417"), [nil, "100-continue", nil])
    }

    func testRedirectsWithTheBodyFromItsStart() throws {
        for body in [Self.small, Self.large] {
            for status in [307, 308] {
                let address = server.url("/put-\(status)?/put-\(status == 307 ? 308 : 307)")
                let source = UploadRequest.Source.file(path: try file(body))
                XCTAssertEqual(try run(request(address, source)).result?.get().url, server.url("/put"))
                XCTAssertEqual(server.uploaded(at: "/put"), body)
            }
        }
        for status in [301, 302, 303] {
            let upload = run(request(server.url("/put-\(status)"), .data(Self.small)))
            XCTAssertEqual(upload.result?.error, .http(status: status))
        }
        var guarded = request(server.url("/put-307?http://169.254.169.254/"), .data(Self.small))
        XCTAssertEqual(run(guarded).result?.error?.kind, "forbidden-address")
        guarded.addressGuard = .closed
        guarded.url = server.url("/put")
        XCTAssertEqual(run(guarded).result?.error?.kind, "forbidden-address")
    }

    func testOnlyWhatDescribesTheBodyGoesToAnotherOrigin() throws {
        let other = try FaultServer()
        defer { other.stop() }
        let secret = [
            "Authorization": "Bearer secret", "Cookie": "secret", "Proxy-Authorization": "secret",
            "X-Api-Key": "secret",
            "private-token": "secret", "x-amz-security-token": "secret", "Content": "secret", "Referer": "secret",
        ]
        let harmless = [
            "Content-Type": "image/jpeg", "content-language": "ko", "If-None-Match": "*", "Cache-Control": "no-cache",
            "Accept": "text/plain", "Content-Empty": "",
        ]
        // To the other origin; and there and back, where it is the other one that says what is asked for.
        let there = server.url("/put-307?\(other.url("/put"))")
        let back = server.url("/put-307?\(other.url("/put-308?\(server.url("/back"))"))")
        for (url, last, path) in [(there, other, "/put"), (back, server!, "/back")] {
            var request = request(url, .data(Self.small))
            request.headers = secret.merging(harmless) { $1 }
            XCTAssertNil(run(request).result?.error)
            for (name, value) in secret {
                XCTAssertEqual(server.requestHeaders(name, at: "/put-307").last, value, name)
                XCTAssertEqual(last.requestHeaders(name, at: path), [nil], "\(name) \(path)")
            }
            for (name, value) in harmless { XCTAssertEqual(last.requestHeaders(name, at: path), [value], name) }
        }
        for (name, _) in secret { XCTAssertEqual(other.requestHeaders(name, at: "/put-308"), [nil], name) }
        // At the same origin nothing is held back.
        var request = request(server.url("/put-307?/put"), .data(Self.small))
        request.headers = secret
        XCTAssertNil(run(request).result?.error)
        for (name, value) in secret { XCTAssertEqual(server.requestHeaders(name, at: "/put"), [value], name) }
    }

    func testRefusalsAreFailures() throws {
        for body in [Self.small, Self.large] {
            let upload = run(request(server.url("/put-403"), .data(body)))
            XCTAssertEqual(upload.result?.error, .http(status: 403))
            XCTAssertEqual(upload.error as? TransferError, .http(status: 403))
        }
        XCTAssertEqual(
            run(request(try url("ftp://127.0.0.1/a"), .data(Self.small))).result?.error, .forbiddenAddress(.scheme))
        for path in ["/no/such/file", folder.path, "a\u{0}b"] {
            XCTAssertEqual(run(request(server.url("/put"), .file(path: path))).result?.error?.kind, "not-found", path)
        }
    }

    /// A server that says that it has the body, without having read it.
    func testASuccessBeforeTheBodyWasSentIsNone() throws {
        var request = request(server.url("/put-200"), .data(Self.large))
        request.retry = .transfers(retries: 1)
        let upload = run(request)
        XCTAssertEqual(upload.result?.error?.kind, "protocol")
        XCTAssertEqual(upload.failedAttempts.count, 1)
        // What was sent is taken.
        XCTAssertEqual(try run(self.request(server.url("/put-200"), .data(Self.small))).result?.get().statusCode, 200)
    }

    func testAConnectionThatBreaksIsTriedAgainFromTheStart() throws {
        var request = request(server.url("/put-cut"), .file(path: try file(Self.large)))
        request.retry = RetryPolicy(attempts: 2)
        let upload = run(request)
        XCTAssertEqual(try upload.result?.get().statusCode, 201)
        XCTAssertEqual(upload.failedAttempts.count, 1)
        XCTAssertEqual(server.uploaded(at: "/put-cut"), Self.large)
    }

    func testAServerThatTalksWithoutEndIsNotListenedTo() throws {
        XCTAssertEqual(try run(request(server.url("/put-endless"), .data(Self.small))).result?.get().statusCode, 200)
        XCTAssertEqual(server.uploaded(at: "/put-endless"), Self.small)
        XCTAssertTrue(server.waitForPeerClose("/put-endless"))
    }

    func testCancelAndSilence() throws {
        let huge = Data(count: 60_000_000)
        var request = request(server.url("/put-stall"), .data(huge))
        let operation = UploadOperation(request, client: client)
        queue.addOperation(operation)
        XCTAssertTrue(server.waitForRequests("/put-stall"))
        XCTAssertTrue(wait { operation.sentByteCount > 0 })
        operation.cancel()
        operation.waitUntilFinished()
        XCTAssertEqual(operation.result?.error, .cancelled)
        XCTAssertNil(operation.error)
        request.limits = .limits(idle: 1.5)
        XCTAssertEqual(run(request).result?.error, .timeout(.idle, .seconds(1.5)))
    }

    /// The system takes megabytes at once, long before the server has them.
    func testAServerThatTakesItsTimeIsNotSilent() throws {
        let body = Data(Self.large.prefix(3_000_000))
        var request = request(server.url("/put-slow"), .data(body))
        request.limits = .limits(idle: 3)
        let upload = run(request)
        XCTAssertNil(upload.result?.error)
        XCTAssertEqual(server.uploaded(at: "/put-slow"), body)
    }

    func testProgressOnlyGrowsAndEndsWithAll() throws {
        let steps = Lock<[Int]>([])
        var request = request(server.url("/put"), .data(Self.large))
        request.onProgress = { sent, total in
            XCTAssertEqual(total, 4_000_000)
            steps.withLock { $0.append(sent) }
        }
        XCTAssertNil(run(request).result?.error)
        let seen = steps.withLock { $0 }
        XCTAssertEqual(seen.last, Self.large.count)
        XCTAssertEqual(seen, seen.sorted())
        XCTAssertGreaterThan(seen.count, 10)
    }

    func testAFileThatBecomesShorterIsAFailure() throws {
        let path = try file(Self.large)
        var request = request(server.url("/put"), .file(path: path))
        request.onProgress = { _, _ in truncate(path, 10) }
        XCTAssertEqual(run(request).result?.error?.kind, "not-found")
    }

    func testWebDAVOfNginx() throws {
        try XCTSkipIf(NginxServer.executable == nil, "nginx is not installed")
        let settings = """
            location /dav/ { dav_methods PUT DELETE; create_full_put_path on; client_max_body_size 5m; }
            """
        for transport in [NginxServer.Transport.http, .https] {
            let nginx = try NginxServer(root: folder, transport: transport, settings: settings)
            defer { nginx.stop() }
            useClient(.init(certificateAuthorities: nginx.certificate?.path))
            let source = UploadRequest.Source.file(path: try file(Self.large))
            let first = try run(request(nginx.url("/dav/new/a%20b.jpg"), source)).result?.get()
            XCTAssertEqual(first?.statusCode, transport == .http ? 201 : 204)
            XCTAssertEqual(first?.metrics.httpVersion, transport == .http ? .http11 : .http2)
            XCTAssertEqual(try Data(contentsOf: folder.appending(path: "dav/new/a b.jpg")), Self.large)
            let again = try run(request(nginx.url("/dav/new/a%20b.jpg"), .data(Self.small))).result?.get()
            XCTAssertEqual(again?.statusCode, 204)
            XCTAssertEqual(try download(nginx.url("/dav/new/a%20b.jpg")).get().body, Self.small)
            let tooLarge = run(request(nginx.url("/dav/b"), .data(Data(count: 6_000_000)))).result?.error
            XCTAssertEqual(tooLarge, .http(status: 413))
            XCTAssertEqual(run(request(nginx.url("/elsewhere"), .data(Self.small))).result?.error, .http(status: 405))
        }
    }
}
