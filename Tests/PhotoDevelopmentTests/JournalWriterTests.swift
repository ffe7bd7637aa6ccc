import Foundation
import Glibc
import Operations
import PhotoPipeline
import Pixels
import XCTest

@testable import PhotoDevelopment

/// Rows on their way into the journal.
final class JournalWriterTests: JournalTestCase {
    private func writer(
        rows: Int, interval: Duration, pause: Duration = .seconds(3_600)
    ) throws -> (JournalWriter, ToldOfRows) {
        let writer = JournalWriter(
            try journal(rows: rows), store: FileStore(folder: OutputFolder(unprepared: output)), interval: interval,
            pause: pause)
        let told = ToldOfRows()
        told.listen(to: writer)
        return (writer, told)
    }

    private func entry(_ index: Int) throws -> JournalWriter.Entry {
        let file = try OutputFolder(unprepared: output).unnamed(Data("picture \(index)".utf8))
        return JournalWriter.Entry(number: index, row: row(index), result: .pictures([.file(file)]))
    }

    private func names() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: output).filter { !$0.hasPrefix(".") }.sorted()
    }

    func testAFileHasNoNameBeforeItsBatchAndARowIsNotMarkedBeforeItsFile() async throws {
        let (writer, told) = try writer(rows: 3, interval: .seconds(3_600))
        for index in [2, 0] { writer.add(try entry(index)) }
        XCTAssertEqual(try names(), [])
        XCTAssertEqual(try recorded(), [])
        writer.flush()
        try await told.wait { $0.durable == [2, 0] }
        XCTAssertEqual(try names(), ["0.jpg", "2.jpg"])
        XCTAssertEqual(try recorded(), [row(0), row(2)].map { String($0.csv().dropLast()) })
    }

    func testABatchWaitsForNoMoreThanItsTimeAndItsRows() async throws {
        let (timed, first) = try writer(rows: 3, interval: .milliseconds(20))
        timed.add(try entry(0))
        try await first.wait { $0.durable == [0] }
        try place.removeJournal()
        // 256, or fewer where the system allows few open files.
        let count = JournalWriter.rowsOfABatch
        let (counted, second) = try writer(rows: count, interval: .seconds(3_600))
        for index in 0..<count { counted.add(try entry(index)) }
        try await second.wait { $0.durable == Array(0..<count) }
        XCTAssertEqual(second.state.withLock { $0.batches }, [count])
    }

    func testABatchDoesNotWaitWhereNoOthersCome() async throws {
        let (writer, told) = try writer(rows: 3, interval: .seconds(3_600), pause: .milliseconds(1))
        for index in [1, 2, 0] {
            writer.add(try entry(index))
            try await told.wait { $0.durable.last == index }
        }
    }

    func testManyRowsComeInBatchesAndTheRunIsHeldBackWhileTheDiskIsBehind() async throws {
        let (writer, told) = try writer(rows: 20_000, interval: .milliseconds(1))
        let held = Lock(0)
        for index in 0..<20_000 {
            let error = PhotoError(.http, "404: Not found.")
            writer.add(JournalWriter.Entry(number: index, row: row(index, .failed(error)), result: .none))
            held.withLock { $0 += 1 }
        }
        try await told.wait { $0.durable.count == 20_000 }
        let state = told.state.withLock { $0 }
        XCTAssertEqual(state.durable, Array(0..<20_000))
        XCTAssert(state.batches.allSatisfy { $0 <= JournalWriter.rowsOfABatch })
        // Each time that it was asked to hold back, it was let go on.
        XCTAssertEqual(state.isHeldBack, state.isHeldBack.indices.map { $0 % 2 == 0 })
        XCTAssertEqual(state.isHeldBack.last, false)
        XCTAssertEqual(try Journal(opening: place.database).totals().failures, [.http: 20_000])
    }

    /// Results that wait in memory are bounded by their bytes, not by their number.
    func testLargeResultsInMemoryAreABatchAndHoldTheRunBack() async throws {
        let names = ShardNames(rows: 8, rowsPerShard: 8)
        let writer = JournalWriter(
            try journal(rows: 8), store: ShardStore(folder: OutputFolder(unprepared: output), names: names),
            interval: .seconds(3_600), pause: .seconds(3_600))
        let told = ToldOfRows()
        told.listen(to: writer)
        for index in 0..<8 {
            let result = FinishedResult(
                bytes: Data(count: JournalWriter.bytesOfABatch / 2), ending: "jpg", address: nil,
                publishedSize: PixelSize(width: 1, height: 1), size: PixelSize(width: 1, height: 1))
            writer.add(JournalWriter.Entry(number: index, row: row(index), result: .pictures([.bytes(result)])))
        }
        try await told.wait { $0.durable.count == 8 && $0.isHeldBack.last == false }
        XCTAssertEqual(told.state.withLock { $0.isHeldBack.first }, true)
        XCTAssertEqual(try recorded().count, 8)
    }

    func testWhatCannotHaveItsNameIsToldOfOnceAndNothingIsMarkedFromThenOn() async throws {
        try FileManager.default.createDirectory(atPath: output + "/1.jpg", withIntermediateDirectories: false)
        let (writer, told) = try writer(rows: 4, interval: .seconds(3_600))
        writer.add(try entry(0))
        writer.flush()
        try await told.wait { $0.durable == [0] }
        for index in [1, 2] { writer.add(try entry(index)) }
        writer.flush()
        try await told.wait { $0.lost == [1, 2] }
        writer.add(try entry(3))
        writer.flush()
        try await told.wait { $0.lost == [1, 2, 3] }
        XCTAssertEqual(told.state.withLock { $0.failures.map(\.reason) }, [.writeFailed])
        XCTAssertEqual(try recorded().count, 1)
        XCTAssertEqual(try FileManager.default.contentsOfDirectory(atPath: output).count { $0.hasSuffix(".part") }, 0)
    }

    /// Nobody would find what is written into a file without a name.
    func testAJournalThatIsRemovedEndsTheRun() async throws {
        let (writer, told) = try writer(rows: 2, interval: .seconds(3_600))
        writer.add(try entry(0))
        writer.flush()
        try await told.wait { $0.durable == [0] }
        try FileManager.default.removeItem(atPath: place.path)
        writer.add(try entry(1))
        writer.flush()
        try await told.wait { $0.lost == [1] }
        let failure = try XCTUnwrap(told.state.withLock { $0.failures.first })
        XCTAssert(failure.detail.contains("somebody has moved or removed it"), failure.detail)
        XCTAssertEqual(try names(), ["0.jpg"])
        let isThere = await writer.gather()
        XCTAssertFalse(isThere)
    }

    /// Another run may have begun a journal in its place, whose rows are not this one's.
    func testARunWhoseJournalIsRemovedWritesNoReport() async throws {
        var options = options
        options.report = folder + "/report.csv"
        let development = try Development(of: await catalog(["0.jpg", "1.jpg"]), options: options)
        try FileManager.default.removeItem(atPath: place.path)
        _ = try journal(rows: 2)
        let summary = await development.run()
        XCTAssertEqual(summary.progress.filtered, 0)
        guard case .outputFailed = summary.stop else { return XCTFail("\(summary.stop as Any)") }
        XCTAssert(
            summary.unwritten.contains { "\($0)".contains("somebody has moved or removed it") }, "\(summary.unwritten)")
        XCTAssertFalse(FileManager.default.fileExists(atPath: folder + "/report.csv"))
    }

    /// One slow photo in front of all others.
    func testRowsThatComeBeforeASlowOneTakeNoMemory() async throws {
        // The memory cannot be told where a sanitizer keeps what is freed.
        let isSanitized = Self.reservedMegabytes > 1_000_000
        let count = isSanitized ? 5_000 : 100_000
        let (writer, told) = try writer(rows: count, interval: .milliseconds(100))
        let before = Self.residentMegabytes
        var added = 1
        while added < count {
            for index in added..<min(count, added + 512) {
                writer.add(JournalWriter.Entry(number: index, row: row(index), result: .none))
            }
            added = min(count, added + 512)
            let so = added
            try await told.wait { $0.durable.count >= so - 1_024 }
        }
        writer.add(JournalWriter.Entry(number: 0, row: row(0), result: .none))
        try await told.wait { $0.durable.count == count }
        let report = try DevelopmentReport(of: output)
        try report.write(.csv, to: folder + "/report.csv")
        let grown = Self.residentMegabytes - before
        if !isSanitized { XCTAssertLessThan(grown, 20) }
        let text = try Data(contentsOf: URL(filePath: folder + "/report.csv"))
        let lines = text.split(separator: UInt8(ascii: "\n")).dropFirst()
        XCTAssertEqual(lines.count, count)
        for (index, line) in zip(lines.indices, lines) where index % 101 == 0 {
            XCTAssertEqual(String(decoding: line, as: UTF8.self) + "\n", row(index - 1).csv())
        }
    }

    private static var reservedMegabytes: Int {
        let text = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8)) ?? ""
        return (text.split(separator: " ").first.flatMap { Int($0) } ?? 0) * 4_096 / 1_000_000
    }
}
