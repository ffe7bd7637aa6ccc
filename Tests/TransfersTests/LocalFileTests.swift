import Foundation
import Glibc
import Operations
import OperationsCore
import Transfers
import XCTest

/// `file:` addresses.
final class LocalFileTests: DownloadTestCase {
    private var folder: URL!

    override func setUpWithError() throws {
        try super.setUpWithError()
        folder = FileManager.default.temporaryDirectory.appending(path: "files-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    override func tearDownWithError() throws {
        try FileManager.default.removeItem(at: folder)
    }

    func testContents() throws {
        for count in [0, 1, 4_096, 262_144, 700_001] {
            let file = folder.appending(path: "höhe \(count) %41.bin")
            let body = Data((0..<count).map { UInt8(truncatingIfNeeded: $0 &* 7) })
            try body.write(to: file)
            let response = try download(file, allowsLocalFiles: true).get()
            XCTAssertEqual(response.body, body)
            XCTAssertEqual(response.statusCode, 200)
            XCTAssertEqual(failure(file), .forbiddenAddress(.scheme))
        }
    }

    func testTooLarge() throws {
        let file = folder.appending(path: "a")
        try Data(count: 1_001).write(to: file)
        XCTAssertEqual(failure(file, .limits(bytes: 1_000), allowsLocalFiles: true), .tooLarge(limit: 1_000))
        XCTAssertNil(failure(file, .limits(bytes: 1_001), allowsLocalFiles: true))
    }

    func testWhatIsNoRegularFileFailsAtOnce() throws {
        let pipe = folder.appending(path: "pipe")
        XCTAssertEqual(mkfifo(pipe.path, 0o600), 0)
        for file in [pipe, folder!, folder.appending(path: "missing"), URL(filePath: "/dev/zero")] {
            XCTAssertEqual(failure(file, allowsLocalFiles: true)?.kind, "not-found", file.path)
        }
        XCTAssertEqual(failure(try url("file://elsewhere/a"), allowsLocalFiles: true), .invalidAddress)
        XCTAssertEqual(failure(try url("file:///a%00b"), allowsLocalFiles: true), .invalidAddress)
    }

    func testAFileWhoseSizeIsNotToldIsReadAndLimited() throws {
        let status = try download(URL(filePath: "/proc/self/status"), allowsLocalFiles: true).get()
        XCTAssertTrue(String(decoding: status.body, as: UTF8.self).contains("VmRSS"))
        XCTAssertEqual(
            failure(URL(filePath: "/proc/self/status"), .limits(bytes: 100), allowsLocalFiles: true),
            .tooLarge(limit: 100))
    }

    func testAFileWhoseSizeIsNotToldAsksForItsMemory() throws {
        final class Asked: TransferFlow {
            let most = Lock(0)
            func mayReceive(upTo bytes: Int) -> Bool {
                most.withLock { $0 = max($0, bytes) }
                return true
            }
        }
        let flow = Asked()
        let reading = operation(URL(filePath: "/proc/self/status"), allowsLocalFiles: true, flow: flow)
        queue.addOperations([reading], waitUntilFinished: true)
        let body = try XCTUnwrap(reading.result).get().body
        XCTAssertFalse(body.isEmpty)
        XCTAssertGreaterThanOrEqual(flow.most.withLock { $0 }, body.count)
    }

    func testFlowAndCancel() throws {
        final class Shut: TransferFlow {
            let isOpen = Lock(false)
            func mayReceive(upTo bytes: Int) -> Bool { isOpen.withLock { $0 } }
        }
        let file = folder.appending(path: "a")
        try Data(count: 500_000).write(to: file)
        let flow = Shut()
        let first = operation(file, allowsLocalFiles: true, flow: flow)
        let second = operation(file, allowsLocalFiles: true, flow: flow)
        queue.addOperations([first, second], waitUntilFinished: false)
        XCTAssertTrue(wait { first.isExecuting && second.isExecuting })
        first.resumeTransfer()
        first.cancel()
        first.waitUntilFinished()
        XCTAssertEqual(first.result?.error, .cancelled)
        flow.isOpen.withLock { $0 = true }
        second.resumeTransfer()
        second.waitUntilFinished()
        XCTAssertEqual(try second.result?.get().body.count, 500_000)
    }

    /// Somebody holds hundreds back until there is room.
    func testFilesThatAreHeldBackTakeNoDescriptors() throws {
        final class Gate: TransferFlow {
            let state = Lock((isOpen: false, asked: 0, whole: 0))
            func mayReceive(upTo bytes: Int) -> Bool {
                state.withLock { state in
                    state.asked += 1
                    return state.isOpen
                }
            }
            func didReceiveAll() { state.withLock { $0.whole += 1 } }
        }
        let gate = Gate()
        let readings = try (0..<50).map { number in
            let file = folder.appending(path: "\(number)")
            try Data(repeating: UInt8(number), count: 10_000).write(to: file)
            return operation(file, allowsLocalFiles: true, flow: gate)
        }
        queue.maxConcurrentOperationCount = 50
        queue.addOperations(readings, waitUntilFinished: false)
        XCTAssertTrue(wait { gate.state.withLock { $0.asked } == 50 })
        XCTAssertTrue(wait { self.openFiles() == 0 })
        gate.state.withLock { $0.isOpen = true }
        for reading in readings { reading.resumeTransfer() }
        queue.waitUntilAllOperationsAreFinished()
        for (number, reading) in readings.enumerated() {
            XCTAssertEqual(try reading.result?.get().body, Data(repeating: UInt8(number), count: 10_000))
        }
        XCTAssertEqual(gate.state.withLock { $0.whole }, 50)
        XCTAssertEqual(openFiles(), 0)
    }

    /// How many files of the folder this process has open.
    private func openFiles() -> Int {
        let descriptors = "/proc/self/fd"
        let names = (try? FileManager.default.contentsOfDirectory(atPath: descriptors)) ?? []
        return names.count { name in
            let place = try? FileManager.default.destinationOfSymbolicLink(atPath: "\(descriptors)/\(name)")
            return place?.hasPrefix(folder.path + "/") ?? false
        }
    }
}
