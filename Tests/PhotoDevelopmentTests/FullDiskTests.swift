import FailingDisk
import Foundation
import Operations
import PhotoPipeline
import Synchronization
import Transfers
import XCTest

@testable import PhotoDevelopment

/// What is on a full disk is written down.
final class FullDiskTests: JournalTestCase {
    override func setUpWithError() throws {
        try super.setUpWithError()
        XCTAssert(FailingDisk.install())
    }

    override func tearDown() {
        FailingDisk.uninstall()
        super.tearDown()
    }

    /// From now on there is only the room that is kept for the journal.
    private func fill() {
        FailingDisk.reserve.withLock { $0 = place.reserve }
        FailingDisk.isFull.store(true, ordering: .relaxed)
    }

    private func entry(_ index: Int) throws -> JournalWriter.Entry {
        let file = try OutputFolder(unprepared: output).unnamed(Data("picture \(index)".utf8))
        return JournalWriter.Entry(number: index, row: row(index), result: .pictures([.file(file)]))
    }

    private func writer(rows: Int) throws -> (JournalWriter, ToldOfRows) {
        let journal = try journal(rows: rows)
        let writer = JournalWriter(
            journal, store: FileStore(folder: OutputFolder(unprepared: output)),
            reserve: JournalReserve(in: place, of: try JournalLock(of: place)))
        let told = ToldOfRows()
        told.listen(to: writer)
        return (writer, told)
    }

    func testTheJournalHasRoomWhereTheDiskIsFull() async throws {
        let (writer, told) = try writer(rows: 3)
        XCTAssertEqual(FileStatus(path: place.reserve)?.size, JournalReserve.size)
        fill()
        writer.add(try entry(0))
        try await told.wait { $0.durable == [0] }
        let failures = told.state.withLock { $0.failures }
        XCTAssertEqual(failures.count, 1)
        XCTAssert(failures[0].detail.hasSuffix("the disk is full."), failures[0].detail)
        // One that was under way when the run was told to end.
        writer.add(try entry(1))
        try await told.wait { $0.durable == [0, 1] }
        // Others take the room.
        FailingDisk.reserve.withLock { $0 = "" }
        writer.add(try entry(2))
        try await told.wait { $0.lost == [2] }
        XCTAssertEqual(told.state.withLock { $0.failures.count }, 2)
        FailingDisk.isFull.store(false, ordering: .relaxed)
        XCTAssertEqual(try recorded().count, 2)
    }

    /// There is not even room for the small pictures of the report.
    func testRowsAreWrittenWithoutTheirSmallPictures() async throws {
        let (writer, told) = try writer(rows: 1)
        fill()
        FailingDisk.largestFile.store(200_000, ordering: .relaxed)
        writer.add(ReportImages.Pair(original: Data(count: 150_000), result: Data(count: 150_000)), of: 0)
        writer.add(try entry(0))
        try await told.wait { $0.durable == [0] }
        XCTAssertEqual(told.state.withLock { $0.failures.count }, 1)
        FailingDisk.isFull.store(false, ordering: .relaxed)
        XCTAssertEqual(try recorded().count, 1)
        XCTAssertNil(try Journal(opening: place.database).images(of: 0))
    }

    func testTheRoomIsGivenBackAtTheEnd() async throws {
        let (writer, _) = try writer(rows: 1)
        XCTAssertNotNil(FileStatus(path: place.reserve))
        let isThere = await writer.gather()
        XCTAssert(isThere)
        XCTAssertNil(FileStatus(path: place.reserve))
    }

    /// A disk that is full behind the last picture has stopped nothing.
    ///
    /// The run has one row, so that it is the last one of every batch: behind an earlier batch the run is rightly told to end.
    func testARunThatIsDoneIsDone() async throws {
        let development = try Development(of: await catalog(["0.jpg"]), options: options)
        fill()
        let summary = await development.run()
        XCTAssertEqual(summary.progress.filtered, 1)
        XCTAssertNil(summary.stop)
        FailingDisk.isFull.store(false, ordering: .relaxed)
        XCTAssertEqual(try recorded().count, 1)
    }

    func testARunThatGoesOnKeepsRoomToo() async throws {
        let catalog = try await catalog(["0.jpg", "1.jpg"])
        // It has the folder until it is released.
        _ = try await Development(of: catalog, options: options).run()
        let next = try Development(of: catalog, options: options)
        XCTAssertEqual(FileStatus(path: place.reserve)?.size, JournalReserve.size)
        let summary = await next.run()
        XCTAssertEqual(summary.progress.filteredEarlier, 2)
        XCTAssertNil(FileStatus(path: place.reserve))
    }
}
