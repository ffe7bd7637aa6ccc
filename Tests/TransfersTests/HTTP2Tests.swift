import Foundation
import Operations
import OperationsCore
import TestServers
import Transfers
import XCTest

/// What HTTP/2 does differently.
final class HTTP2Tests: DownloadTestCase {
    /// libcurl 7.88 sometimes forgets that it has the end of a stream to hand over: on a busy machine under Thread Sanitizer, of one
    /// small body in some twenty. It is remembered when something else wakes the event thread, which would be a minute later here.
    func testTheEndOfABodyIsNotForgotten() throws {
        try XCTSkipIf(NginxServer.executable == nil, "nginx is not installed")
        let folder = FileManager.default.temporaryDirectory.appending(path: "http2-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try Data(repeating: 65, count: 100_000).write(to: folder.appending(path: "a.txt"))
        let nginx = try NginxServer(root: folder, transport: .https)
        defer { nginx.stop() }
        let isOver = Lock(false)
        defer { isOver.withLock { $0 = true } }
        for _ in 0..<4 { Thread.detachNewThread { while !isOver.withLock({ $0 }) {} } }
        for _ in 0..<60 {
            useClient(.init(certificateAuthorities: nginx.certificate?.path))
            for path in ["/a.txt", "/gzip/a.txt"] {
                let response = try download(nginx.url(path)).get()
                XCTAssertEqual(response.metrics.httpVersion, .http2)
                XCTAssertEqual(response.body.count, 100_000)
                XCTAssertLessThan(response.metrics.total, .seconds(25))
            }
        }
    }
}
