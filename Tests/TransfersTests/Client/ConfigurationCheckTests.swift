import Foundation
import TestServers
import Transfers
import XCTest

/// What is told of a client's configuration before the first transfer.
final class ConfigurationCheckTests: DownloadTestCase {
    func testFilesOfAuthorities() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "authorities-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let (empty, text, good) = (
            folder.appending(path: "empty"), folder.appending(path: "text"), folder.appending(path: "good")
        )
        try Data().write(to: empty)
        try Data("authorities".utf8).write(to: text)
        try Data("# Comment\n-----BEGIN CERTIFICATE-----\n".utf8).write(to: good)
        for path in [empty.path, text.path, folder.path, "/no/such/file", "/dev/null", ""] {
            let configuration = TransferClient.Configuration(certificateAuthorities: path)
            XCTAssertThrowsError(try configuration.check(), path) { error in
                guard case TransferClient.ConfigurationError.certificateAuthorities(path, _) = error else {
                    return XCTFail("\(error)")
                }
            }
        }
        XCTAssertNoThrow(try TransferClient.Configuration(certificateAuthorities: good.path).check())
        XCTAssertNoThrow(try TransferClient.Configuration().check())
        // Who did not check hears it from the transfer.
        try XCTSkipIf(NginxServer.executable == nil, "nginx is not installed")
        let nginx = try NginxServer(root: folder, transport: .https)
        defer { nginx.stop() }
        useClient(.init(certificateAuthorities: "/no/such/file"))
        guard case .untrusted = failure(nginx.url("/text")) else { return XCTFail("it was trusted") }
        useClient(.init(certificateAuthorities: nginx.certificate?.path))
        XCTAssertNil(failure(nginx.url("/text")))
    }

    func testUserAgents() throws {
        server.serve(Data("a".utf8), at: "/a")
        XCTAssertThrowsError(try TransferClient.Configuration(userAgent: "a\r\nX-Key: b").check()) { error in
            XCTAssertEqual(error as? TransferClient.ConfigurationError, .userAgent)
        }
        for name in ["Reader/2.0 (+https://example.org/bot)", "a\r\nX-Key: b", ""] {
            useClient(.init(userAgent: name))
            XCTAssertNil(failure(server.url("/a")))
        }
        XCTAssertEqual(
            server.requestHeaders("User-Agent", at: "/a"),
            ["Reader/2.0 (+https://example.org/bot)", "a  X-Key: b", nil])
        XCTAssertEqual(server.requestHeaders("X-Key", at: "/a"), [nil, nil, nil])
    }
}
