import Foundation
import Operations
import OperationsCore
import TestServers
import Transfers
import XCTest

/// What transfers say about themselves.
final class MetricsTests: DownloadTestCase {
    func testTimesAndSizesOfOneTransfer() throws {
        let first = try download(server.url("/redirect/2")).get().metrics
        XCTAssertEqual(first.httpVersion, .http11)
        XCTAssertEqual(first.redirects, 2)
        XCTAssertEqual(first.bytesReceived, FaultServer.okBody.count)
        XCTAssertTrue(first.isConnectionReused, "the last hop goes over the first one's connection")
        let slow = try download(server.url(.slowStart, query: "ms=200")).get().metrics
        XCTAssertGreaterThanOrEqual(slow.timeToFirstByte, .milliseconds(190))
        XCTAssertGreaterThanOrEqual(slow.total, slow.timeToFirstByte)
        XCTAssertEqual([slow.nameLookup, slow.connect, slow.handshake], [.zero, .zero, .zero])
    }

    func testANewConnectionTakesTime() throws {
        let first = try download(try url("http://localhost:\(server.port)/ok")).get().metrics
        XCTAssertFalse(first.isConnectionReused)
        XCTAssertGreaterThan(first.nameLookup + first.connect, .zero)
        XCTAssertEqual(first.handshake, .zero)
        XCTAssertTrue(try download(try url("http://localhost:\(server.port)/ok")).get().metrics.isConnectionReused)
    }

    func testFailuresHaveThemToo() {
        let operation = operation(server.url(.halfBody))
        XCTAssertNil(operation.metrics)
        queue.addOperations([operation], waitUntilFinished: true)
        XCTAssertEqual(operation.metrics?.bytesReceived, 500)
        XCTAssertEqual(operation.metrics?.httpVersion, .http11)
    }

    func testTLSAndHTTP2() throws {
        try XCTSkipIf(NginxServer.executable == nil, "nginx is not installed")
        let folder = FileManager.default.temporaryDirectory.appending(path: "metrics-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try Data(repeating: 65, count: 100_000).write(to: folder.appending(path: "a.txt"))
        let nginx = try NginxServer(root: folder, transport: .https)
        defer { nginx.stop() }
        useClient(.init(certificateAuthorities: nginx.certificate?.path))
        let first = try download(nginx.url("/a.txt")).get().metrics
        XCTAssertEqual(first.httpVersion, .http2)
        XCTAssertGreaterThan(first.handshake, .zero)
        XCTAssertFalse(first.isConnectionReused)
        let second = try download(nginx.url("/gzip/a.txt")).get()
        XCTAssertTrue(second.metrics.isConnectionReused)
        XCTAssertEqual(second.body.count, 100_000)
        XCTAssertLessThan(second.metrics.bytesReceived, 10_000)
    }
}
