import Foundation
import Operations
import OperationsCore
import TestServers
import Transfers
import XCTest

/// What HTTP/2 does differently.
final class HTTP2Tests: DownloadTestCase {
    /// A server of these files, for as long as the test runs.
    private func serve(_ files: [String: Data]) throws -> NginxServer {
        try XCTSkipIf(NginxServer.executable == nil, "nginx is not installed")
        let folder = FileManager.default.temporaryDirectory.appending(path: "http2-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        for (name, bytes) in files { try bytes.write(to: folder.appending(path: name)) }
        let nginx = try NginxServer(root: folder, transport: .https)
        addTeardownBlock {
            nginx.stop()
            try? FileManager.default.removeItem(at: folder)
        }
        return nginx
    }

    /// libcurl 7.88 sometimes forgets that it has the end of a stream to hand over: on a busy machine under Thread Sanitizer, of one
    /// small body in some twenty. It is remembered when something else wakes the event thread, which would be a minute later here.
    func testTheEndOfABodyIsNotForgotten() throws {
        let nginx = try serve(["a.txt": Data(repeating: 65, count: 100_000)])
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

    /// Streams of one connection that are held back at different times, and let go on by other threads.
    func testStreamsThatWereHeldBackGoOn() throws {
        var random = SystemRandomNumberGenerator()
        let bytes = Data((0..<600_000).map { _ in UInt8.random(in: 0...255, using: &random) })
        let nginx = try serve(["a.bin": bytes])
        useClient(.init(certificateAuthorities: nginx.certificate?.path))
        // Compressed, so that nobody knows how much comes, and each piece is asked for.
        // All at once, and then alone, where nothing else wakes the event thread.
        for count in [20, 1, 1, 1, 1] {
            let flows = (0..<count).map { _ in HesitantFlow() }
            let operations = flows.map { flow in
                let operation = operation(nginx.url("/gzip/a.bin"), flow: flow)
                flow.onDenial = { [weak operation] in operation?.resumeTransfer() }
                return operation
            }
            run(operations)
            for operation in operations {
                let response = try XCTUnwrap(operation.result).get()
                XCTAssertEqual(response.body, bytes)
                XCTAssertLessThan(response.metrics.total, .seconds(25))
            }
            XCTAssert(flows.allSatisfy { $0.denials > 0 })
        }
    }
}

/// Says no to each third piece, and yes when it is asked again a moment later.
private final class HesitantFlow: TransferFlow {
    private let state = Lock((asked: 0, denials: 0, onDenial: {} as @Sendable () -> Void))

    var denials: Int { state.withLock { $0.denials } }

    var onDenial: @Sendable () -> Void {
        get { state.withLock { $0.onDenial } }
        set { state.withLock { $0.onDenial = newValue } }
    }

    func mayReceive(upTo bytes: Int) -> Bool {
        let resume: (@Sendable () -> Void)? = state.withLock { state in
            state.asked += 1
            guard state.asked % 3 == 0 else { return nil }
            state.denials += 1
            return state.onDenial
        }
        guard let resume else { return true }
        DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(Int.random(in: 0...5)), execute: resume)
        return false
    }
}
