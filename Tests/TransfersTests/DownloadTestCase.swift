import Foundation
import Operations
import OperationsCore
import TestServers
import Transfers
import XCTest

/// What the suites that talk to servers share: a fault server, a client, a queue.
class DownloadTestCase: XCTestCase {
    private(set) var server: FaultServer!
    var client: TransferClient!
    let queue = Operations.OperationQueue()

    override func setUpWithError() throws {
        server = try FaultServer()
        client = TransferClient(.init(usesEnvironmentProxy: false))
        queue.maxConcurrentOperationCount = 10_000
    }

    override func tearDown() {
        queue.cancelAllOperations()
        XCTAssert(wait(seconds: 60) { self.queue.operationCount == 0 }, "something does not end")
        client = nil
        server.stop()
        server = nil
    }

    /// Another client than the default one.
    func useClient(_ configuration: TransferClient.Configuration) {
        var configuration = configuration
        configuration.usesEnvironmentProxy = false
        client = TransferClient(configuration)
    }

    func operation(
        _ url: URL, _ limits: TransferLimits = .test, allowsLocalFiles: Bool = false,
        flow: (any TransferFlow)? = nil
    ) -> DownloadOperation {
        let request = DownloadRequest(url: url, limits: limits, allowsLocalFiles: allowsLocalFiles, flow: flow)
        return DownloadOperation(request, client: client)
    }

    /// Downloads and waits.
    func download(
        _ url: URL, _ limits: TransferLimits = .test, allowsLocalFiles: Bool = false,
        flow: (any TransferFlow)? = nil
    ) -> Result<DownloadResponse, TransferError> {
        let operation = operation(url, limits, allowsLocalFiles: allowsLocalFiles, flow: flow)
        run([operation])
        return operation.result ?? .failure(.cancelled)
    }

    func failure(_ url: URL, _ limits: TransferLimits = .test, allowsLocalFiles: Bool = false) -> TransferError? {
        switch download(url, limits, allowsLocalFiles: allowsLocalFiles) {
        case .success: nil
        case .failure(let error): error
        }
    }

    /// Waits until what was given to a cache is on disk: who asks before may not find it.
    func flush(_ cache: DiskCache) {
        let flushed = expectation(description: "flushed")
        Task {
            await cache.flush()
            flushed.fulfill()
        }
        wait(for: [flushed], timeout: 60)
    }

    func url(_ text: String) throws -> URL { try XCTUnwrap(URL(string: text), text) }

    /// Runs operations, and waits for their end; those that take so long that they can be said to hang are cancelled.
    func run(_ operations: [Operations.Operation], line: UInt = #line) {
        queue.addOperations(operations, waitUntilFinished: false)
        for operation in operations { end(operation, line: line) }
    }

    /// Waits for the end of an operation, and cancels it where that does not come.
    func end(_ operation: Operations.Operation, line: UInt = #line) {
        guard !wait(seconds: 60, until: { operation.isFinished }) else { return }
        XCTFail("\(operation) does not end", line: line)
        operation.cancel()
    }

    /// Waits until a condition holds that nothing announces.
    func wait(seconds: Double = 20, until isMet: () -> Bool) -> Bool {
        let end = Date(timeIntervalSinceNow: seconds)
        while !isMet() {
            if Date() > end { return false }
            usleep(2_000)
        }
        return true
    }
}

extension TransferLimits {
    /// Long enough for a machine under load, short enough to notice a hang.
    static let test = TransferLimits(
        connectTimeout: .seconds(60), idleTimeout: .seconds(60), totalTimeout: .seconds(120), maxBytes: 1_000_000)

    static func limits(idle: Double = 60, total: Double = 120, bytes: Int = 1_000_000) -> TransferLimits {
        TransferLimits(idleTimeout: .seconds(idle), totalTimeout: .seconds(total), maxBytes: bytes)
    }
}
