import Foundation
import Operations
import PhotoPipeline
import XCTest

@testable import PhotoDevelopment

/// Rows that wait for one address.
final class SameAddressRowsTests: JournalTestCase {
    /// Who is handed over waits in memory, with all that is known of it; who waits for another row is a number.
    func testVeryManyRowsThatWaitForOneAddressAreHandedOverAsTheJournalTakesThem() async throws {
        let count = 20_000
        let catalog = try await catalog(Array(repeating: "gone.jpg", count: count))
        let rows = CatalogRows(of: catalog, options: options)
        let running = Lock<Development?>(nil)
        let mostEnding = Lock(0)
        let store = WatchedStore(
            store: options.store(in: OutputFolder(unprepared: output), rows: rows),
            whenCommitting: {
                let ending = running.withLock { $0?.state.withLock { $0.window.ending } } ?? 0
                mostEnding.withLock { $0 = max($0, ending) }
            })
        let pipeline = PhotoPipeline(configuration: options.pipelineConfiguration)
        let development = try Development(
            Development.Parts(rows: rows, store: store, origin: catalog), journal: try journal(rows: count),
            pipeline: pipeline, options: options)
        running.withLock { $0 = development }
        defer { running.withLock { $0 = nil } }
        // The first row does not end before all others wait for it.
        pipeline.pending.isSuspended = true
        async let summary = development.run()
        let end = Date(timeIntervalSinceNow: 60)
        while development.state.withLock({ $0.window.parked }) < count - 1, Date() < end {
            try await Task.sleep(for: .milliseconds(2))
        }
        XCTAssertEqual(development.state.withLock { $0.window.parked }, count - 1)
        pipeline.pending.isSuspended = false
        let failed = await summary.progress.failed
        XCTAssertEqual(failed, count)
        XCTAssertEqual(try recorded().count, count)
        XCTAssertLessThan(mostEnding.withLock { $0 }, JournalWriter.mostRows + 2 * JournalWriter.rowsOfABatch)
    }
}
