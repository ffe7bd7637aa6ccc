import Foundation
import Operations
import OperationsCore
import OperationsTesting
import TestServers
import XCTest

@testable import Transfers

/// A disk that takes its time, and what others do to the files there.
final class SlowDiskTests: DownloadTestCase {
    private let folder = FileManager.default.temporaryDirectory.appending(path: "slow-\(UUID().uuidString)")

    override func setUpWithError() throws {
        try super.setUpWithError()
        var configuration = TransferClient.Configuration()
        configuration.partialDownloads = PartialDownloads(folder: folder.path)
        configuration.temporaryFolder = FileManager.default.temporaryDirectory.path
        useClient(configuration)
    }

    override func tearDown() {
        client.storage.queue.isSuspended = false
        super.tearDown()
        try? FileManager.default.removeItem(at: folder)
    }

    private func large(_ path: String = "/large") -> DownloadOperation {
        var request = DownloadRequest(url: server.url(path), limits: .limits(bytes: 100_000_000))
        request.maxBytesInMemory = 100_000
        return DownloadOperation(request, client: client)
    }

    private func names() -> [String] { (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? [] }

    func testADiskThatDoesNotAnswerHoldsUpNoOtherTransfer() throws {
        let body = SeededRandom.data(20_000_000)
        server.serve(body, at: "/large", headers: ["ETag": "\"1\""])
        client.storage.queue.isSuspended = true
        let download = large()
        queue.addOperation(download)
        XCTAssert(wait { download.receivedSoFar >= DiskBody.largestBacklog })
        // Each is looked up on the disk, and begins without.
        for _ in 1...5 { XCTAssertNil(failure(server.url("/ok"))) }
        XCTAssertFalse(download.isFinished)
        XCTAssertLessThan(download.receivedSoFar, DiskBody.largestBacklog + 1_000_000, "it waits for the disk")
        client.storage.queue.isSuspended = false
        end(download)
        XCTAssertEqual(try download.result?.get().body, body)
        XCTAssertEqual(names(), [])
    }

    func testWhatWaitsForTheDiskIsKeptAfterACancel() throws {
        let body = SeededRandom.data(20_000_000)
        server.serve(body, at: "/large", headers: ["ETag": "\"1\""])
        client.storage.queue.isSuspended = true
        let download = large()
        queue.addOperation(download)
        XCTAssert(wait { download.receivedSoFar >= DiskBody.largestBacklog })
        download.cancel()
        client.storage.queue.isSuspended = false
        end(download)
        XCTAssertEqual(download.result?.error, .cancelled)
        XCTAssertEqual(names().count, 1)
        let again = large()
        run([again])
        XCTAssertEqual(try again.result?.get().body, body)
        let ranges = server.requestHeaders("Range", at: "/large")
        XCTAssertEqual(ranges.count, 2)
        XCTAssertNotNil(ranges.last ?? nil)
    }

    /// Where nothing is kept of it there is nothing to wait for.
    func testACancelledTransferDoesNotWaitForTheDisk() {
        let body = SeededRandom.data(20_000_000)
        for headers in [[:], ["ETag": "\"1\""]] {
            // Nothing can be kept of the first, and the second client keeps nothing.
            if !headers.isEmpty { useClient(.init()) }
            server.serve(body, at: "/large", headers: headers)
            client.storage.queue.isSuspended = true
            let download = large()
            queue.addOperation(download)
            XCTAssert(wait { download.receivedSoFar >= DiskBody.largestBacklog })
            download.cancel()
            XCTAssert(wait { download.isFinished }, "it waits for the disk")
            client.storage.queue.isSuspended = false
            end(download)
            XCTAssertEqual(download.result?.error, .cancelled)
        }
        XCTAssertEqual(names(), [])
    }

    func testABodyIsRemovedBeforeOthersAreWritten() {
        let disk = Operations.OperationQueue()
        disk.maxConcurrentOperationCount = 1
        disk.isSuspended = true
        let order = Lock<[String]>([])
        let body = DiskBody(
            on: disk, making: { () throws(TransferError) in throw .writeFailed("it is made after all") },
            whenDrained: {})
        disk.addOperation { order.withLock { $0.append("written") } }
        body.discard { order.withLock { $0.append("removed") } }
        disk.isSuspended = false
        disk.waitUntilAllOperationsAreFinished()
        XCTAssertEqual(order.withLock { $0 }, ["removed", "written"])
    }

    /// Whoever is told that a transfer has failed finds nothing of its body on the disk any more.
    func testATransferThatFailedEndsWhenItsFileIsGone() throws {
        client.storage.queue.isSuspended = true
        for (address, path, error) in [
            (server.url(.endlessChunked), Fault.endlessChunked, TransferError.tooLarge(limit: 1_000_000)),
            (server.url(.halfChunked), .halfChunked, .truncated),
        ] {
            var request = DownloadRequest(url: address, limits: .limits(bytes: 1_000_000))
            request.maxBytesInMemory = 1
            let download = DownloadOperation(request, client: client)
            queue.addOperation(download)
            if path == .halfChunked {
                XCTAssert(server.waitForAnswers(path.rawValue))
            } else {
                XCTAssert(server.waitForPeerClose(path.rawValue))
            }
            // The client's thread is through with it when it has brought these.
            for _ in 1...3 { XCTAssertNil(failure(server.url("/ok"))) }
            XCTAssertFalse(download.isFinished, "the disk has not let the body go")
            client.storage.queue.isSuspended = false
            end(download)
            XCTAssertEqual(download.result?.error, error)
            client.storage.queue.isSuspended = true
        }
    }

    /// A transfer begins without what the disk has if that takes too long, and goes on with it if it comes before the answer.
    func testWhatTheDiskFindsLateIsGoneOnWith() throws {
        let body = SeededRandom.data(2_000_000)
        let script = FaultScript(body, headers: ["ETag": "\"1\""], [.cut(after: 1_000_000), .silence, .answer])
        server.serve(script, at: "/large")
        run([large()])
        XCTAssertEqual(names().count, 1)
        client.storage.queue.isSuspended = true
        let again = large()
        queue.addOperation(again)
        XCTAssert(server.waitForRequests("/large", count: 2))
        client.storage.queue.isSuspended = false
        XCTAssert(server.waitForRequests("/large", count: 3), "it is not asked again")
        if server.requestCount("/large") < 3 { again.cancel() }
        end(again)
        XCTAssertEqual(try again.result?.get().body, body)
        let ranges = server.requestHeaders("Range", at: "/large")
        XCTAssertEqual(ranges, [nil, nil, "bytes=1000000-"])
        XCTAssertEqual(names(), [])
    }

    /// What comes with the answer is not asked for again. The next attempt goes on with what was found, or with the new body where
    /// that has taken its place.
    func testWhatTheDiskFindsAfterTheAnswerIsNotUsed() throws {
        let body = SeededRandom.data(2_000_000)
        let script = FaultScript(
            body, headers: ["ETag": "\"1\""], [.cut(after: 1_000_000), .stall(after: 50_000), .answer])
        server.serve(script, at: "/large")
        run([large()])
        client.storage.queue.isSuspended = true
        let again = large()
        queue.addOperation(again)
        XCTAssert(wait { again.receivedSoFar == 50_000 })
        client.storage.queue.isSuspended = false
        client.storage.queue.waitUntilAllOperationsAreFinished()
        again.cancel()
        end(again)
        XCTAssertEqual(server.requestCount("/large"), 2)
        let third = large()
        run([third])
        XCTAssertEqual(try third.result?.get().body, body)
        let ranges = server.requestHeaders("Range", at: "/large")
        XCTAssertEqual(ranges.prefix(2), [nil, nil])
        XCTAssertTrue(["bytes=1000000-", "bytes=50000-"].contains(ranges.last ?? nil), "\(ranges)")
    }

    func testAnObserverThatComesLateIsShownAllOfIt() throws {
        let body = SeededRandom.data(12_000_000)
        server.serve(body, at: "/large", headers: ["ETag": "\"1\""])
        client.storage.queue.isSuspended = true
        let download = large()
        queue.addOperation(download)
        XCTAssert(wait { download.receivedSoFar >= DiskBody.largestBacklog })
        let collectors = (0..<3).map { _ in Collector() }
        for collector in collectors { download.observe(collector) }
        client.storage.queue.isSuspended = false
        end(download)
        for collector in collectors { XCTAssertEqual(collector.body, body) }
    }

    func testNobodyEndsTheProgramByCuttingAFileShort() throws {
        let store = PartialDownloads(folder: folder.path)
        let file = try XCTUnwrap(store.make("http://a/1", validator: StrongValidator(kept: "\"v\""), total: nil))
        try [UInt8](repeating: 7, count: 100_000).withUnsafeBytes { try file.append($0) }
        let snapshot = try file.contents()
        for name in names() { XCTAssertEqual(truncate(folder.appending(path: name).path, 0), 0) }
        XCTAssertEqual(snapshot, Data(repeating: 7, count: 100_000))
        XCTAssertThrowsError(try file.contents())
    }
}

/// Takes what it is shown.
private final class Collector: BodyObserver {
    private let bytes = Lock(Data())

    var body: Data { bytes.withLock { $0 } }

    func bodyBegan(with bytes: Data, expected: Int?) { self.bytes.withLock { $0 = bytes } }

    func bodyContinued(_ piece: UnsafeRawBufferPointer, at offset: Int, expected: Int?) {
        bytes.withLock { bytes in
            if bytes.count == offset { bytes.append(contentsOf: piece) }
        }
    }
}
