import Foundation
import Glibc
import Operations
import OperationsTesting
import TestServers
import XCTest

@testable import Transfers

/// Uploads of files that wait: a file is opened when its turn has come, and not before.
final class WaitingUploadTests: DownloadTestCase {
    private let folder = FileManager.default.temporaryDirectory.appending(path: "waiting-\(UUID().uuidString)")
    private static let large = SeededRandom.data(2_000_000)

    override func setUpWithError() throws {
        try super.setUpWithError()
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    override func tearDown() {
        client.storage.queue.isSuspended = false
        super.tearDown()
        try? FileManager.default.removeItem(at: folder)
    }

    /// Writes a file, in place of one that is there.
    private func write(_ body: Data, _ name: String = "photo") throws -> String {
        let file = folder.appending(path: name)
        try body.write(to: file, options: .atomic)
        return file.path
    }

    private func upload(_ path: String, to url: URL, retry: RetryPolicy = .once) -> UploadOperation {
        UploadOperation(
            UploadRequest(url: url, source: .file(path: path), limits: .test, retry: retry), client: client)
    }

    /// How many of the folder's files this process has open.
    private func openFiles() throws -> Int {
        try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count { name in
            let file = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(name)")
            return file?.hasPrefix(folder.path) == true
        }
    }

    func testNoneOfManyHasItsFileOpen() throws {
        client.suspend(true)
        let bodies = (0..<50).map { Data("photo \($0)".utf8) }
        let uploads = try bodies.enumerated().map { number, body in
            upload(try write(body, "\(number)"), to: server.url("/\(number)"))
        }
        queue.addOperations(uploads, waitUntilFinished: false)
        XCTAssertTrue(wait { self.client.activity.waiting == uploads.count })
        XCTAssertEqual(try openFiles(), 0)
        client.suspend(false)
        for (number, upload) in uploads.enumerated() {
            end(upload)
            XCTAssertEqual(try upload.result?.get().statusCode, 201)
            XCTAssertEqual(server.uploaded(at: "/\(number)"), bodies[number])
        }
        XCTAssertEqual(try openFiles(), 0)
    }

    func testAFileIsSentAsItIsWhenItsTurnHasCome() throws {
        client.suspend(true)
        let replaced = upload(try write(Data("old".utf8)), to: server.url("/replaced"))
        let removed = upload(try write(Data("old".utf8), "removed"), to: server.url("/removed"))
        queue.addOperations([replaced, removed], waitUntilFinished: false)
        XCTAssertTrue(wait { self.client.activity.waiting == 2 })
        _ = try write(Self.large)
        try FileManager.default.removeItem(at: folder.appending(path: "removed"))
        client.suspend(false)
        end(replaced)
        end(removed)
        XCTAssertNil(replaced.result?.error)
        XCTAssertEqual(server.uploaded(at: "/replaced"), Self.large)
        XCTAssertEqual(removed.result?.error?.kind, "not-found")
        XCTAssertEqual(server.requestCount("/removed"), 0)
    }

    func testARedirectToAHostThatIsBusyClosesTheFile() throws {
        let other = try FaultServer()
        defer { other.stop() }
        useClient(.init(transfersPerHost: 1))
        let first = operation(other.url(.gate))
        queue.addOperation(first)
        XCTAssertTrue(other.waitForRequests(Fault.gate.rawValue))
        let upload = upload(try write(Self.large), to: server.url("/put-307?\(other.url("/put"))"))
        queue.addOperation(upload)
        XCTAssertTrue(wait { self.server.requestCount("/put-307") == 1 && self.client.activity.waiting == 1 })
        XCTAssertEqual(try openFiles(), 0)
        XCTAssertEqual(upload.sentByteCount, 0)
        _ = try write(Data("new".utf8))
        other.openGate()
        end(first)
        end(upload)
        XCTAssertNil(upload.result?.error)
        XCTAssertEqual(other.uploaded(at: "/put"), Data("new".utf8))
    }

    func testAFileIsClosedUntilTheNextAttempt() throws {
        var configuration = TransferClient.Configuration()
        let clock = ManualClock()
        configuration.clock = clock
        useClient(configuration)
        let path = try write(Self.large)
        let upload = upload(path, to: server.url("/put-503"), retry: .transfers(retries: 1))
        queue.addOperation(upload)
        XCTAssertTrue(wait { upload.failedAttempts.count == 1 && self.client.activity.waiting == 1 })
        XCTAssertEqual(try openFiles(), 0)
        try FileManager.default.removeItem(atPath: path)
        XCTAssertTrue(
            wait(seconds: 60) {
                clock.advance(by: .seconds(60))
                return upload.isFinished
            })
        XCTAssertEqual(upload.failedAttempts.map(\.kind), ["http", "not-found"])
    }

    func testWhatCannotBeOpenedLeavesItsPlaceToOthers() throws {
        useClient(.init(transfersPerHost: 1, transfersInAll: 1))
        let pipe = folder.appending(path: "pipe").path
        XCTAssertEqual(mkfifo(pipe, 0o600), 0)
        let paths = ["/no/such/file", folder.path, pipe, "a\u{0}b"]
        let uploads = paths.map { upload($0, to: server.url("/never")) }
        let last = upload(try write(Self.large), to: server.url("/put"))
        run(uploads + [last])
        for (path, upload) in zip(paths, uploads) {
            guard case .notFound(let text) = upload.result?.error else { return XCTFail(path) }
            XCTAssertTrue(text.contains(path), text)
        }
        XCTAssertNil(last.result?.error)
        XCTAssertEqual(server.requestCount("/never"), 0)
    }

    func testADiskThatDoesNotAnswerHoldsUpNoOtherTransferAndNoCancel() throws {
        client.storage.queue.isSuspended = true
        let path = try write(Self.large)
        let uploads = [upload(path, to: server.url("/cancelled")), upload(path, to: server.url("/put"))]
        queue.addOperations(uploads, waitUntilFinished: false)
        XCTAssertTrue(wait { self.client.activity.running == 2 })
        XCTAssertNil(failure(server.url("/ok")))
        uploads[0].cancel()
        end(uploads[0])
        XCTAssertEqual(uploads[0].result?.error, .cancelled)
        client.storage.queue.isSuspended = false
        end(uploads[1])
        XCTAssertEqual(server.uploaded(at: "/put"), Self.large)
        XCTAssertEqual(server.requestCount("/cancelled"), 0)
        XCTAssertTrue(wait { (try? self.openFiles()) == 0 })
    }
}
