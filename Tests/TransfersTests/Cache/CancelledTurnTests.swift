import Foundation
import OperationsCore
import TestServers
import XCTest

@testable import Transfers

/// Downloads that are cancelled while they wait until they may read from disk.
final class CancelledTurnTests: CacheTestCase {
    /// Has the only turn with the disk.
    private final class Keeper: TurnTaker {
        private let turns = Lock<[TransferTurn]>([])

        var count: Int { turns.withLock { $0.count } }

        func take(_ turn: TransferTurn?, for key: Int) {
            if let turn { turns.withLock { $0.append(turn) } }
        }

        func giveBack() { turns.withLock { $0.removeAll() } }
    }

    private let keeper = Keeper()

    override func setUpWithError() throws {
        try super.setUpWithError()
        useClient(.init(transfersPerHost: 1))
        client.requestTurn(for: ResourceAddress(folder), of: keeper, key: 0)
        XCTAssertTrue(wait { self.keeper.count == 1 })
    }

    override func tearDown() {
        keeper.giveBack()
        super.tearDown()
    }

    func testTheyDoNotWaitAnyMore() {
        weak var first: CachedDownloadOperation?
        weak var holder: Holder?
        scope {
            let cache = makeCache()
            let held = Holder()
            let downloads = (0..<50).map { _ in cached(server.url("/ok"), cache) }
            (first, holder) = (downloads[0], held)
            downloads[0].whenStarted = { _ = held }
            queue.addOperations(downloads, waitUntilFinished: false)
            XCTAssertTrue(wait { self.client.activity.waiting == 50 })
            for download in downloads { download.cancel() }
            XCTAssertTrue(wait { downloads.allSatisfy(\.isFinished) })
            // An operation may live on, which nothing hangs on by now.
            XCTAssertTrue(wait { self.client.activity.waiting == 0 })
        }
        XCTAssertTrue(wait { first == nil && holder == nil })
        XCTAssertEqual(server.requestCount(), 0)
    }

    func testWhatADownloadCallsIsLetGoAtItsEnd() {
        let download = cached(server.url("/ok"), makeCache())
        weak var holder: Holder?
        scope {
            let held = Holder()
            holder = held
            download.whenStarted = { _ = held }
            download.whenRetrying = { _, _ in _ = held }
        }
        queue.addOperation(download)
        XCTAssertTrue(wait { self.client.activity.waiting == 1 })
        download.cancel()
        end(download)
        XCTAssertTrue(wait { holder == nil })
    }

    /// An operation hears of it when it has asked for its turn, and not before.
    func testACancelComesWhileTheTurnIsAskedFor() {
        let cache = makeCache()
        let downloads = (0..<400).map { _ in cached(server.url("/ok"), cache) }
        for download in downloads {
            queue.addOperation(download)
            download.cancel()
        }
        XCTAssertTrue(wait { downloads.allSatisfy(\.isFinished) })
        let other = Keeper()
        client.requestTurn(for: ResourceAddress(folder), of: other, key: 1)
        XCTAssertTrue(wait { self.client.activity.waiting == 1 })
        keeper.giveBack()
        XCTAssertTrue(wait { other.count == 1 })
        XCTAssertTrue(wait { self.client.activity.waiting == 0 })
        other.giveBack()
    }

    private final class Holder: Sendable {}

    private func scope(_ body: () -> Void) { body() }
}
