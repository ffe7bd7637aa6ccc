import Foundation
import Operations
import OperationsCore
import OperationsTesting
import TestServers
import XCTest

@testable import Transfers

/// Bodies that are gone on with where they were cut off.
final class ResumeTests: DownloadTestCase {
    private static let body = SeededRandom.data(200_000)
    private static let tag = ["ETag": "\"v1\""]
    private var folder: URL!

    override func setUpWithError() throws {
        try super.setUpWithError()
        folder = FileManager.default.temporaryDirectory.appending(path: "partial-\(UUID().uuidString)")
        renewClient()
    }

    override func tearDownWithError() throws {
        try? FileManager.default.removeItem(at: folder)
    }

    /// A client as another process would have it.
    private func renewClient(maxBytes: Int = 10_000_000) {
        var configuration = TransferClient.Configuration()
        configuration.partialDownloads = PartialDownloads(folder: folder.path, maxBytes: maxBytes)
        useClient(configuration)
    }

    private func request(_ path: String = "/file", retries: Int = 0) -> DownloadRequest {
        let retry = RetryPolicy(attempts: retries + 1) { ($0 as? TransferError)?.isTransient ?? false }
        return DownloadRequest(url: server.url(path), limits: .test, retry: retry)
    }

    private func run(_ request: DownloadRequest) -> DownloadOperation {
        let operation = DownloadOperation(request, client: client)
        run([operation])
        return operation
    }

    private func serve(headers: [String: String] = tag, _ steps: [FaultScript.Step], body: Data = body) {
        server.serve(FaultScript(body, headers: headers, steps), at: "/file")
    }

    /// Within one operation nothing of it is written down under the address.
    func testASignedAddressIsGoneOnWithButNotKept() throws {
        let path = "/file?X-Amz-Signature=f00ba4"
        serve([.cut(after: 150_000), .answer])
        var request = request(path, retries: 1)
        request.maxBytesInMemory = 100_000
        XCTAssertEqual(try run(request).result?.get().body, Self.body)
        XCTAssertEqual(ranges(), [nil, "bytes=150000-"])
        serve([.cut(after: 150_000)])
        for limit in [100_000, 1_000_000] {
            request.retry = .once
            request.maxBytesInMemory = limit
            XCTAssertEqual(run(request).result?.error, .truncated)
        }
        XCTAssertEqual(kept(), [])
    }

    private func ranges() -> [String?] { server.requestHeaders("Range", at: "/file") }

    /// What is in the folder, once the client has written and removed what it was about to.
    private func kept() -> [String] {
        client.storage.queue.waitUntilAllOperationsAreFinished()
        return (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    }

    /// Starts a download that stalls after `bytes`, and cancels it there.
    private func cancelled(after bytes: Int, _ request: DownloadRequest? = nil) {
        let operation = DownloadOperation(request ?? self.request(), client: client)
        queue.addOperation(operation)
        XCTAssertTrue(server.waitForRequests("/file"))
        XCTAssertTrue(wait { operation.receivedSoFar == bytes }, "\(operation.receivedSoFar)")
        operation.cancel()
        end(operation)
        XCTAssertEqual(operation.result?.error, .cancelled)
    }

    // MARK: Within an operation

    func testARetryAsksForTheRestOnly() throws {
        serve([.cut(after: 80_000), .cut(after: 50_000), .answer])
        let operation = run(request(retries: 2))
        XCTAssertEqual(try operation.result?.get().body, Self.body)
        XCTAssertEqual(try operation.result?.get().statusCode, 200)
        XCTAssertEqual(ranges(), [nil, "bytes=80000-", "bytes=130000-"])
        XCTAssertEqual(server.requestHeaders("If-Range", at: "/file"), [nil, "\"v1\"", "\"v1\""])
        XCTAssertEqual(server.requestHeaders("Accept-Encoding", at: "/file").last, "identity")
        XCTAssertEqual(operation.receivedByteCount, Self.body.count)
        XCTAssertEqual(kept(), [])
        // The next request with that handle is an ordinary one again.
        XCTAssertEqual(try run(request()).result?.get().body, Self.body)
        XCTAssertEqual(ranges().last, .some(nil))
    }

    func testOnlyStrongValidatorsAreTrusted() throws {
        let old = "Tue, 15 Nov 1994 08:12:31 GMT"
        let soon = "Tue, 15 Nov 1994 08:12:40 GMT"
        let late = "Wed, 16 Nov 1994 08:12:31 GMT"
        let cases: [([String: String], Bool)] = [
            (Self.tag, true), (["ETag": "W/\"v1\""], false), ([:], false),
            (["Last-Modified": old, "Date": late], true), (["Last-Modified": old, "Date": soon], false),
            (["Last-Modified": old], false), (["ETag": "W/\"v1\"", "Last-Modified": old, "Date": late], false),
            (["ETag": "\"v1\"", "Accept-Ranges": "none"], false),
        ]
        for (headers, isResumed) in cases {
            serve(headers: headers, [.cut(after: 80_000), .answer])
            XCTAssertEqual(try run(request(retries: 1)).result?.get().body, Self.body, "\(headers)")
            XCTAssertEqual(ranges(), [nil, isResumed ? "bytes=80000-" : nil], "\(headers)")
        }
    }

    func testCompressedBodiesAreFetchedAnew() throws {
        serve(
            headers: Self.tag.merging(["Content-Encoding": "gzip"]) { $1 }, [.cut(after: 17), .status(404)],
            body: Data(gzipHello)
        )
        XCTAssertEqual(run(request(retries: 1)).failedAttempts.last, .http(status: 404))
        XCTAssertEqual(ranges(), [nil, nil])
    }

    func testAPartThatDoesNotFitStartsOver() throws {
        let parts: [FaultScript.Step] = [
            .part(range: "bytes 0-199999/200000", from: 0), .part(range: "bytes 80000-199999/200001", from: 80_000),
            .part(range: "bytes 90000-199999/200000", from: 90_000), .part(range: "nonsense", from: 80_000),
            .status(416),
        ]
        for part in parts {
            serve([.cut(after: 80_000), part, .answer])
            XCTAssertEqual(try run(request(retries: 1)).result?.get().body, Self.body, "\(part)")
            XCTAssertEqual(ranges(), [nil, "bytes=80000-", nil], "\(part)")
        }
    }

    func testAServerThatSendsTheWholeIsTakenAtItsWord() throws {
        serve([.cut(after: 80_000), .whole])
        XCTAssertEqual(try run(request(retries: 1)).result?.get().body, Self.body)
        XCTAssertEqual(ranges(), [nil, "bytes=80000-"])
    }

    func testARefusalInBetweenLosesNothing() throws {
        serve([.cut(after: 80_000), .status(503), .noAnswer, .answer])
        XCTAssertEqual(try run(request(retries: 3)).result?.get().body, Self.body)
        XCTAssertEqual(ranges(), [nil, "bytes=80000-", "bytes=80000-", "bytes=80000-"])
    }

    func testARedirectIsAskedForItsOwnPart() throws {
        serve([.cut(after: 80_000), .answer])
        XCTAssertEqual(try run(request("/redirect-to?/file", retries: 1)).result?.get().body, Self.body)
        XCTAssertEqual(ranges(), [nil, "bytes=80000-"])
    }

    func testARedirectThatLeadsElsewhereIsAskedForTheWhole() throws {
        server.serve(
            FaultScript(
                Data(), [.status(302, ["Location": "/file"]), .status(302, ["Location": "/other"])]), at: "/start")
        serve([.cut(after: 80_000)])
        let other = SeededRandom.data(90_000, seed: 7)
        server.serve(FaultScript(other, headers: Self.tag, [.answer]), at: "/other")
        XCTAssertEqual(try run(request("/start", retries: 1)).result?.get().body, other)
        for path in ["/start", "/other"] {
            XCTAssertEqual(Set(server.requestHeaders("Range", at: path)), [nil], path)
        }
    }

    // MARK: Across operations and processes

    func testACancelledDownloadIsGoneOnWithByTheNextClient() throws {
        serve([.stall(after: 100_000), .answer])
        cancelled(after: 100_000)
        XCTAssertEqual(kept().count, 1)
        renewClient()
        let operation = run(request())
        XCTAssertEqual(try operation.result?.get().body, Self.body)
        XCTAssertEqual(ranges(), [nil, "bytes=100000-"])
        XCTAssertEqual(operation.receivedByteCount, 100_000)
        XCTAssertEqual(kept(), [])
    }

    func testWhatHasChangedMeanwhileIsFetchedWhole() throws {
        serve([.stall(after: 100_000)])
        cancelled(after: 100_000)
        let changed = SeededRandom.data(150_000, seed: 9)
        server.serve(FaultScript(changed, headers: ["ETag": "\"v2\""], [.answer]), at: "/file")
        XCTAssertEqual(try run(request()).result?.get().body, changed)
        XCTAssertEqual(ranges(), ["bytes=100000-"])
        XCTAssertEqual(kept(), [])
    }

    func testLittleAndSecretBodiesAreNotKept() throws {
        serve([.stall(after: PartialDownloads.smallest - 1)])
        cancelled(after: PartialDownloads.smallest - 1)
        XCTAssertEqual(kept(), [])
        serve([.stall(after: 100_000)])
        var secret = request()
        secret.url = try url("http://me:secret@127.0.0.1:\(server.port)/file")
        cancelled(after: 100_000, secret)
        XCTAssertEqual(kept(), [])
    }

    func testABodyOnDiskIsGoneOnWith() throws {
        serve([.stall(after: 100_000), .cut(after: 40_000), .answer])
        var request = request(retries: 1)
        request.maxBytesInMemory = 10_000
        cancelled(after: 100_000, request)
        XCTAssertEqual(kept().count, 1)
        XCTAssertEqual(try run(request).result?.get().body, Self.body)
        XCTAssertEqual(ranges(), [nil, "bytes=100000-", "bytes=140000-"])
        XCTAssertEqual(kept(), [])
    }

    func testTwoDownloadsOfOneAddressDoNotMix() throws {
        serve([.stall(after: 100_000), .stall(after: 120_000), .answer])
        var request = request()
        request.maxBytesInMemory = 10_000
        let first = DownloadOperation(request, client: client)
        queue.addOperation(first)
        XCTAssertTrue(wait { first.receivedSoFar == 100_000 })
        // The file is locked while the first works on it.
        let second = DownloadOperation(request, client: client)
        queue.addOperation(second)
        XCTAssertTrue(wait { second.receivedSoFar == 120_000 })
        XCTAssertEqual(ranges(), [nil, nil])
        first.cancel()
        second.cancel()
        for operation in queue.operations { end(operation) }
        XCTAssertEqual(try run(request).result?.get().body, Self.body)
        XCTAssertEqual(ranges().last, "bytes=100000-")
    }

    private let gzipHello: [UInt8] = [
        0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3, 0xCB, 0x48, 0xCD, 0xC9, 0xC9, 7, 0, 0x86, 0xA6, 0x10, 0x36, 5, 0, 0, 0,
    ]
}

extension SeededRandom {
    /// So many bytes without a pattern.
    static func data(_ count: Int, seed: UInt64 = 5) -> Data {
        var generator = SeededRandom(seed: seed)
        return (0..<(count / 8)).map { _ in generator.next() }.withUnsafeBytes { Data($0) }
    }
}
