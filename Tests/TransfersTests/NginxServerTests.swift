import Foundation
import Glibc
import TestServers
import XCTest

/// The test server itself: it must leave nothing behind.
final class NginxServerTests: XCTestCase {
    func testStopEndsTheProcess() throws {
        try XCTSkipIf(NginxServer.executable == nil, "nginx is not installed")
        let server = try NginxServer(root: FileManager.default.temporaryDirectory)
        let process = try XCTUnwrap(server.processIdentifier)
        XCTAssertEqual(kill(process, 0), 0)
        server.stop()
        XCTAssertEqual(kill(process, 0), -1)
        server.stop()
    }

    func testManyAtOnce() throws {
        try XCTSkipIf(NginxServer.executable == nil, "nginx is not installed")
        let servers = try (0..<3).map { _ in try NginxServer(root: FileManager.default.temporaryDirectory) }
        let processes = try servers.map { try XCTUnwrap($0.processIdentifier) }
        XCTAssertEqual(Set(servers.map(\.port)).count, 3)
        for server in servers { server.stop() }
        for process in processes { XCTAssertEqual(kill(process, 0), -1) }
    }
}
