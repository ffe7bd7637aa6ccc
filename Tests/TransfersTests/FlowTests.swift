import Foundation
import Operations
import OperationsCore
import Synchronization
import TestServers
import Transfers
import XCTest

/// Transfers that are held back while their bytes have no room.
final class FlowTests: DownloadTestCase {
    /// Answers what it is told to, and remembers what it was asked.
    private final class Valve: TransferFlow {
        private let state: Lock<(isOpen: Bool, asked: [Int])>

        init(isOpen: Bool) { state = Lock((isOpen, [])) }

        var asked: [Int] { state.withLock { $0.asked } }

        func open() { state.withLock { $0.isOpen = true } }

        func mayReceive(upTo bytes: Int) -> Bool {
            state.withLock { state in
                state.asked.append(bytes)
                return state.isOpen
            }
        }
    }

    /// Room for so many bytes, given back when an operation is done.
    private final class Budget: TransferFlow {
        private let room: Lock<(left: Int, waiting: [DownloadOperation])>

        init(_ bytes: Int) { room = Lock((bytes, [])) }

        func mayReceive(upTo bytes: Int) -> Bool {
            room.withLock { room in
                guard room.left >= bytes else { return false }
                room.left -= bytes
                return true
            }
        }

        func giveBack(_ bytes: Int, to operations: [DownloadOperation]) {
            room.withLock { $0.left += bytes }
            for operation in operations { operation.resumeTransfer() }
        }
    }

    func testAKnownLengthIsAskedForOnce() throws {
        let valve = Valve(isOpen: true)
        XCTAssertEqual(try download(server.url("/ok"), flow: valve).get().body, FaultServer.okBody)
        XCTAssertEqual(valve.asked, [20_000])
    }

    func testAnUnknownLengthIsAskedForAsItGrows() {
        let valve = Valve(isOpen: true)
        XCTAssertEqual(download(server.url(.endlessChunked), flow: valve).error, .tooLarge(limit: 1_000_000))
        XCTAssertEqual(valve.asked, valve.asked.sorted())
        XCTAssertGreaterThan(valve.asked.count, 5)
        XCTAssertTrue(valve.asked.allSatisfy { $0 <= 1_000_000 })
    }

    func testAPauseCountsAgainstNoLimit() throws {
        let valve = Valve(isOpen: false)
        let operation = operation(server.url("/ok"), .limits(idle: 4, total: 4), flow: valve)
        queue.addOperation(operation)
        XCTAssertTrue(wait { valve.asked.count == 1 })
        // Longer than both limits; that nothing happens can only be seen by looking for a while.
        XCTAssertFalse(wait(seconds: 4.5) { operation.isFinished })
        // Asking again while there still is no room changes nothing.
        operation.resumeTransfer()
        XCTAssertTrue(wait { valve.asked.count == 2 })
        XCTAssertNil(operation.result)
        valve.open()
        operation.resumeTransfer()
        operation.waitUntilFinished()
        XCTAssertEqual(try operation.result?.get().body, FaultServer.okBody)
    }

    func testLimitsGoOnAfterAPause() {
        let valve = Valve(isOpen: false)
        let operation = operation(server.url(.stallMidBody), .limits(idle: 3), flow: valve)
        queue.addOperation(operation)
        XCTAssertTrue(wait { valve.asked.count == 1 })
        valve.open()
        operation.resumeTransfer()
        operation.waitUntilFinished()
        XCTAssertEqual(operation.result?.error, .timeout(.idle, .seconds(3)))
    }

    func testWhatIsTooLargeAfterAPauseIsRefused() {
        for fault in [Fault.endless, .gzipBomb] {
            let valve = Valve(isOpen: false)
            let operation = operation(server.url(fault), .limits(bytes: 10_000), flow: valve)
            queue.addOperation(operation)
            XCTAssertTrue(wait { valve.asked.count >= 1 || operation.isFinished })
            valve.open()
            operation.resumeTransfer()
            operation.waitUntilFinished()
            XCTAssertEqual(operation.result?.error, .tooLarge(limit: 10_000), fault.rawValue)
        }
    }

    func testCancelWhilePaused() {
        let valve = Valve(isOpen: false)
        let operation = operation(server.url(.endless), flow: valve)
        queue.addOperation(operation)
        XCTAssertTrue(wait { valve.asked.count == 1 })
        operation.cancel()
        operation.waitUntilFinished()
        XCTAssertEqual(operation.result?.error, .cancelled)
        XCTAssertTrue(server.waitForPeerClose(Fault.endless.rawValue))
        operation.resumeTransfer()
    }

    func testCompressedBodiesComeWholeThroughManyPauses() throws {
        try XCTSkipIf(NginxServer.executable == nil, "nginx is not installed")
        let folder = FileManager.default.temporaryDirectory.appending(path: "flow-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let body = Data((0..<900_000).map { UInt8(truncatingIfNeeded: $0 / 7 ^ $0 >> 9) })
        try body.write(to: folder.appending(path: "a.txt"))
        let nginx = try NginxServer(root: folder)
        defer { nginx.stop() }
        let flow = EveryOther()
        let operation = operation(nginx.url("/gzip/a.txt"), flow: flow)
        flow.run(operation, in: queue)
        XCTAssertEqual(try operation.result?.get().body, body)
        XCTAssertGreaterThan(flow.count.load(ordering: .relaxed), 20)
    }

    func testManyShareALittleRoom() throws {
        try run(sharing: server.url("/ok"))
    }

    func testManyShareALittleRoomOverHTTP2() throws {
        try XCTSkipIf(NginxServer.executable == nil, "nginx is not installed")
        let folder = FileManager.default.temporaryDirectory.appending(path: "flow-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let body = Data((0..<400_000).map { UInt8(truncatingIfNeeded: $0 / 7 ^ $0 >> 9) })
        try body.write(to: folder.appending(path: "a.jpg"))
        let nginx = try NginxServer(root: folder, transport: .https)
        defer { nginx.stop() }
        useClient(.init(transfersPerHost: 8, certificateAuthorities: nginx.certificate?.path))
        // From now on there is a connection that all streams share.
        XCTAssertEqual(try download(nginx.url("/a.jpg")).get().body, body)
        try run(sharing: nginx.url("/a.jpg"), bytes: 400_000)
    }

    private func run(sharing url: URL, bytes: Int = 20_000) throws {
        let budget = Budget(bytes * 5 / 2)
        let operations = (0..<60).map { _ in operation(url, flow: budget) }
        for operation in operations {
            operation.completionBlock = { budget.giveBack(bytes, to: operations) }
        }
        queue.addOperations(operations, waitUntilFinished: true)
        for operation in operations {
            operation.completionBlock = nil
            XCTAssertEqual(try operation.result?.get().body.count, bytes)
        }
    }
}
