import Foundation
import ImageCodecs
import PhotoPipeline
import Pixels
import TestServers
import XCTest

@testable import PhotoDevelopment

/// Samples on their way into tar files.
final class ShardStoreTests: JournalTestCase {
    private func store(rows: Int = 100, rowsPerShard: Int = 10) -> ShardStore {
        ShardStore(
            folder: OutputFolder(unprepared: output), names: ShardNames(rows: rows, rowsPerShard: rowsPerShard))
    }

    private func entry(_ index: Int, _ text: String? = nil) -> JournalWriter.Entry {
        let result = FinishedResult(
            bytes: Data((text ?? "picture \(index)").utf8), ending: "jpg", address: "https://example.org/\(index)",
            publishedSize: PixelSize(width: 640, height: 480), size: PixelSize(width: 64, height: 48))
        return JournalWriter.Entry(number: index, row: row(index), result: .pictures([.bytes(result)]))
    }

    /// Commits rows and marks them.
    private func commit(_ entries: [JournalWriter.Entry], _ store: ShardStore, _ journal: Journal) throws {
        let committed = try store.commit(entries, journal)
        try journal.record(entries.map { Journal.Entry(number: $0.number, row: $0.row) }, committed)
    }

    private func url(_ shard: String) -> URL { URL(filePath: output + "/" + shard) }

    private func shard(_ name: String) throws -> TarListing { TarListing(try Data(contentsOf: url(name))) }

    private func text(_ shard: String, _ member: String) throws -> String? {
        try self.shard(shard).members.first { $0.name == member }.map { String(decoding: $0.bytes, as: UTF8.self) }
    }

    func testRowsAreAppendedToTheShardsOfTheirPlaces() throws {
        let (store, journal) = (store(), try journal(rows: 100))
        try commit([entry(12), entry(3)], store, journal)
        try commit([entry(0), entry(99)], store, journal)
        XCTAssertEqual(
            try shard("00000.tar").members.map(\.name), ["00004.jpg", "00004.json", "00001.jpg", "00001.json"])
        XCTAssertEqual(try shard("00001.tar").members.map(\.name), ["00013.jpg", "00013.json"])
        XCTAssertEqual(try text("00009.tar", "00100.jpg"), "picture 99")
        for name in ["00000.tar", "00001.tar", "00009.tar"] { XCTAssert(try shard(name).isWhole, name) }
        XCTAssertEqual(try journal.end(ofShard: 0), try shard("00000.tar").end)
        let sample = try XCTUnwrap(journal.sample(of: 0))
        XCTAssertEqual(
            try TarFile.bytes(
                of: url("00000.tar").path, from: sample.pictures[0].start, count: sample.pictures[0].count),
            Data("picture 0".utf8))
    }

    func testAnErrorNamesTheFileOfTheAttempt() throws {
        let journal = try journal(rows: 100)
        var store = ShardStore(
            folder: OutputFolder(unprepared: folder + "/gone"), names: ShardNames(rows: 100, rowsPerShard: 10))
        store.planned = PlannedShard(number: 3, file: "00003.attempt.tar", rows: [30])
        XCTAssertThrowsError(try store.commit([entry(0)], journal)) {
            XCTAssert("\($0)".contains("/00003.attempt.tar"), "\($0)")
        }
    }

    func testASampleSaysWhatIsKnownOfIt() throws {
        let (store, journal) = (store(), try journal(rows: 100))
        try commit([entry(7)], store, journal)
        let json = try XCTUnwrap(text("00000.tar", "00008.json"))
        let object = try XCTUnwrap(JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any])
        for (key, value) in [
            ("key", "00008"), ("name", "row 7"), ("url", "https://example.org/photos/7"), ("status", "filtered"),
            ("final_url", "https://example.org/7"),

        ] {
            XCTAssertEqual(object[key] as? String, value, key)
        }
        XCTAssertEqual((object["sha256"] as? String)?.count, 64)
        for (key, value) in [
            ("original_width", 640), ("original_height", 480), ("width", 64), ("height", 48), ("size", 9), ("bytes", 7),
        ] {
            XCTAssertEqual(object[key] as? Int, value, key)
        }
    }

    func testWhatIsNotMarkedIsCutOffWhereTheRunGoesOn() throws {
        let (store, journal) = (store(), try journal(rows: 100))
        try commit([entry(0)], store, journal)
        let whole = try Data(contentsOf: url("00000.tar"))
        // Two batches that were never marked: one whole, one cut off, and a shard that had just begun.
        _ = try store.commit([entry(1), entry(15)], journal)
        let longer = try Data(contentsOf: url("00000.tar"))
        let tails: [Data] = [
            longer.dropFirst(whole.count - 1_024), longer.dropFirst(whole.count - 1_024).prefix(700), Data(),
            // As long as the end of the archive.
            longer.dropFirst(whole.count - 1_024).prefix(1_024), Data("x".utf8),
        ]
        for tail in tails {
            try (whole.dropLast(1_024) + tail).write(to: url("00000.tar"))
            try self.store().goOn(with: journal)
            XCTAssertEqual(try Data(contentsOf: url("00000.tar")), whole)
        }
        XCTAssertFalse(FileManager.default.fileExists(atPath: url("00001.tar").path))
        try commit([entry(1)], store, journal)
        XCTAssertEqual(
            try shard("00000.tar").members.map(\.name), ["00001.jpg", "00001.json", "00002.jpg", "00002.json"])
    }

    func testTheNextBatchReplacesWhatAFailedOneLeft() throws {
        let (store, journal) = (store(), try journal(rows: 100))
        try commit([entry(0)], store, journal)
        _ = try store.commit([entry(1), entry(2)], journal)
        try commit([entry(3, "x")], store, journal)
        XCTAssertEqual(
            try shard("00000.tar").members.map(\.name), ["00001.jpg", "00001.json", "00004.jpg", "00004.json"])
        XCTAssert(try shard("00000.tar").isWhole)
    }

    func testWhatAFailedBatchLeftIsGoneAtTheEndOfTheRun() throws {
        let (store, journal) = (store(), try journal(rows: 100))
        try commit([entry(0)], store, journal)
        // It failed behind these, as on a full disk.
        _ = try store.commit([entry(1), entry(12), entry(55)], journal)
        try store.finish()
        XCTAssertEqual(try shard("00000.tar").members.map(\.name), ["00001.jpg", "00001.json"])
        XCTAssert(try shard("00000.tar").isWhole)
        for name in ["00001.tar", "00005.tar"] {
            XCTAssertFalse(FileManager.default.fileExists(atPath: url(name).path))
        }
        XCTAssertEqual(try String(contentsOf: url("index.jsonl"), encoding: .utf8).split(separator: "\n").count, 1)
    }

    func testRowsWhoseBytesSomebodyTookAwayAreNotDone() throws {
        let (store, journal) = (store(), try journal(rows: 100))
        try commit((0..<5).map { entry($0) } + [entry(20)], store, journal)
        let third = try XCTUnwrap(journal.sample(of: 2))
        let tar = try Data(contentsOf: url("00000.tar"))
        try tar.prefix(third.end + 100).write(to: url("00000.tar"))
        try FileManager.default.removeItem(at: url("00002.tar"))
        let isThere = try store.presence(by: journal)
        XCTAssertEqual((0..<5).map { isThere($0, [""]) }, [true, true, true, false, false])
        XCTAssertFalse(isThere(20, [""]))
        let plan = try RowPlan(after: journal, count: 100, in: store, renditions: options.renditions, retrying: nil)
        XCTAssertEqual((0...20).filter { !plan.takes($0) }, [0, 1, 2])
        try store.goOn(with: journal)
        XCTAssertEqual(try shard("00000.tar").members.map(\.name).last, "00003.json")
        XCTAssert(try shard("00000.tar").isWhole)
        XCTAssertEqual(try journal.totals().filtered, 3)
        try commit([entry(3), entry(20)], store, journal)
        XCTAssertEqual(try shard("00000.tar").members.count, 8)
        XCTAssertEqual(try shard("00002.tar").members.count, 2)
    }

    private func commitThreeShards(_ store: ShardStore, _ journal: Journal) throws {
        try commit([entry(0), entry(20, String(repeating: "x", count: 1 << 16)), entry(30)], store, journal)
    }

    private func assertAllIsKnown(_ journal: Journal, line: UInt = #line) throws {
        XCTAssertEqual(try journal.totals().filtered, 3, line: line)
        XCTAssertNotNil(try journal.sample(of: 20), line: line)
        XCTAssertGreaterThan(try journal.end(ofShard: 2), 1 << 16, line: line)
    }

    /// A link to itself stands in for a folder that cannot be searched and for a disk that fails, which root never sees.
    func testAShardThatCannotBeSeenIsNotTakenForOneThatIsGone() throws {
        let (store, journal) = (store(), try journal(rows: 100))
        try commitThreeShards(store, journal)
        // All are measured before one is changed.
        let longer = try Data(contentsOf: url("00000.tar")) + Data("more".utf8)
        try longer.write(to: url("00000.tar"))
        let path = url("00002.tar").path
        try FileManager.default.removeItem(atPath: path)
        try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: "00002.tar")
        let calls: [() throws -> Void] = [
            { _ = try store.presence(by: journal) }, { try store.goOn(with: journal) }, { try store.finish() },
        ]
        for call in calls {
            XCTAssertThrowsError(try call()) {
                guard case .outputUnusable(path, _)? = $0 as? DevelopmentError else { return XCTFail("\($0)") }
            }
            try assertAllIsKnown(journal)
            XCTAssertEqual(try Data(contentsOf: url("00000.tar")), longer)
        }
    }

    /// A link that leads nowhere, as to a disk that is not there, and a folder.
    func testAShardThatCannotBeOpenedKeepsItsRows() throws {
        let (store, journal) = (store(), try journal(rows: 100))
        try commitThreeShards(store, journal)
        let path = url("00002.tar").path
        try FileManager.default.removeItem(atPath: path)
        try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: "none/00002.tar")
        for _ in 0..<2 {
            XCTAssertFalse(try store.presence(by: journal)(20, [""]))
            XCTAssertThrowsError(try store.goOn(with: journal)) { XCTAssert("\($0)".contains(path), "\($0)") }
            try assertAllIsKnown(journal)
            try FileManager.default.removeItem(atPath: path)
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
        }
    }

    /// Who has taken it away meanwhile is told of; the next run does its rows again.
    func testAShardThatIsGoneAtTheEndOfTheRunKeepsItsRows() throws {
        let (store, journal) = (store(), try journal(rows: 100))
        try commit([entry(0), entry(12)], store, journal)
        try FileManager.default.removeItem(at: url("00001.tar"))
        XCTAssertThrowsError(try store.finish()) { XCTAssert("\($0)".contains("00001.tar"), "\($0)") }
        XCTAssertFalse(FileManager.default.fileExists(atPath: url("00001.tar").path))
        XCTAssertEqual(try journal.totals().filtered, 2)
        try store.goOn(with: journal)
        XCTAssertEqual(try journal.totals().filtered, 1)
        try store.finish()
    }

    /// Each row is in the journal or is taken, also where a shard goes, or comes back, while the run begins.
    func testARunTakesTheRowsThatItsJournalForgets() async throws {
        var options = options
        options.layout = .webDataset(rowsPerShard: 10)
        let catalog = try await catalog(["a.jpg", "b.jpg"])
        let rows = CatalogRows(of: catalog, options: options)
        let store = options.store(in: OutputFolder(unprepared: output), rows: rows)
        let elsewhere = folder + "/elsewhere.tar"
        for comesBack in [false, true] {
            try FileManager.default.removeItem(atPath: output)
            let first = await (try Development(of: catalog, options: options)).run()
            XCTAssertEqual(first.progress.filtered, 2)
            let names = try FileManager.default.contentsOfDirectory(atPath: output)
            let here = url(try XCTUnwrap(names.first { $0.hasSuffix(".tar") })).path
            if comesBack { XCTAssertEqual(rename(here, elsewhere), 0) }
            let (from, to) = comesBack ? (elsewhere, here) : (here, elsewhere)
            let watched = WatchedStore(store: store, whenGoingOn: { _ = rename(from, to) })
            let opening = try JournalOpening(for: rows, into: watched, options: options)
            XCTAssertEqual(try opening.journal.totals().filtered, comesBack ? 2 : 0)
            XCTAssertEqual((0..<2).map { opening.plan.takes($0) }, [!comesBack, !comesBack])
        }
    }

    func testARowMayHaveThePictureOfAnother() throws {
        let (store, journal) = (store(), try journal(rows: 100))
        try commit([entry(4)], store, journal)
        try commit([JournalWriter.Entry(number: 31, row: row(31), result: .copy(of: 4, from: nil))], store, journal)
        XCTAssertEqual(try text("00003.tar", "00032.jpg"), "picture 4")
        XCTAssert(try XCTUnwrap(text("00003.tar", "00032.json")).contains("\"name\":\"row 31\""))
        XCTAssertEqual(
            try journal.sample(of: 31)?.pictures.map(\.facts), try journal.sample(of: 4)?.pictures.map(\.facts))
        let lost = JournalWriter.Entry(number: 32, row: row(32), result: .copy(of: 5, from: nil))
        XCTAssertThrowsError(try store.commit([lost], journal)) {
            XCTAssertEqual(($0 as? PhotoError)?.reason, .writeFailed)
        }
    }

    func testShardsThatNobodyKnowsAreNotTakenOverUnlessAskedFor() throws {
        try Data("mine".utf8).write(to: url("00000.tar"))
        try Data("mine, too".utf8).write(to: url("photos.tar"))
        XCTAssertThrowsError(try store().begin(replacing: false)) { XCTAssert("\($0)".contains("00000.tar"), "\($0)") }
        XCTAssertEqual(try Data(contentsOf: url("00000.tar")), Data("mine".utf8))
        try store().begin(replacing: true)
        XCTAssertEqual(
            try FileManager.default.contentsOfDirectory(atPath: output).filter { !$0.hasPrefix(".") }, ["photos.tar"])
        // A table that the run would replace.
        try Data("mine".utf8).write(to: url("00003.parquet"))
        XCTAssertThrowsError(try store().begin(replacing: false))
        try FileManager.default.removeItem(at: url("00003.parquet"))
        // Somebody's table is not touched, unless a tar file beside it says that it is a shard's.
        try Data("mine".utf8).write(to: url("20260101.parquet"))
        try store().begin(replacing: false)
        try store().begin(replacing: true)
        XCTAssert(FileManager.default.fileExists(atPath: url("20260101.parquet").path))
        try Data().write(to: url("20260101.tar"))
        try store().begin(replacing: true)
        XCTAssertFalse(FileManager.default.fileExists(atPath: url("20260101.parquet").path))
    }

    func testTheIndexHasEveryRowThatEnded() throws {
        let (store, journal) = (store(), try journal(rows: 2_000))
        try commit([entry(15), entry(2)], store, journal)
        try journal.record(
            (100..<1_500).map {
                Journal.Entry(number: $0, row: row($0, .failed(PhotoError(.http, "404: Not found."))))
            })
        try store.finish()
        let lines = try String(contentsOf: url("index.jsonl"), encoding: .utf8).split(separator: "\n")
        let objects = try lines.map {
            try XCTUnwrap(JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
        }
        XCTAssertEqual(objects.count, 1_402)
        XCTAssertEqual(objects.map { $0["key"] as? String ?? "" }.prefix(3), ["00003", "00016", "00101"])
        XCTAssertEqual(objects[1]["shard"] as? String, "00001.tar")
        XCTAssertEqual(objects[1]["offset"] as? Int, 512)
        XCTAssertEqual(objects[2]["error"] as? String, "http")
        XCTAssertNil(objects[2]["shard"])
        let table = try ParquetListing(Data(contentsOf: url("00001.parquet")))
        XCTAssertEqual(table["key"], ["00016"])
        XCTAssertEqual(table["status"], ["filtered"])
        XCTAssertEqual(table["width"], ["64"])
        XCTAssertEqual(table["sha256"]?.first??.count, 64)
        XCTAssertEqual(table["final_url"], ["https://example.org/15"])
        let failed = try ParquetListing(Data(contentsOf: url("00149.parquet")))
        XCTAssertEqual(failed["error"], Array(repeating: "http", count: 10))
        XCTAssertEqual(failed["width"], Array(repeating: nil, count: 10))
        XCTAssertEqual(failed.columns.map(\.name), table.columns.map(\.name))
    }

    func testColumnsOfTheCatalogAreInTheTable() throws {
        var store = ShardStore(
            folder: OutputFolder(unprepared: output), names: ShardNames(rows: 100, rowsPerShard: 10),
            variants: ["thumb", "large"])
        store.entry = {
            "{\"url\":\"./\($0)\",\"Caption\":\"of \($0)\",\"SHA256_large\":\"theirs\",\"only\($0 % 2)\":\($0),\"file\":3}"
        }
        store.hasEXIF = true
        let journal = try journal(rows: 100)
        try journal.record((0..<2).map { Journal.Entry(number: $0, row: row($0, .failed(PhotoError(.http, "404.")))) })
        try store.finish()
        let table = try ParquetListing(Data(contentsOf: url("00000.parquet")))
        XCTAssertEqual(table["url"], ["https://example.org/photos/0", "https://example.org/photos/1"])
        XCTAssertEqual(table["catalog_url"], ["./0", "./1"])
        XCTAssertEqual(table["Caption"], ["of 0", "of 1"])
        XCTAssertEqual(table["catalog_SHA256_large"], ["theirs", "theirs"])
        XCTAssertEqual(table["catalog_file"], ["3", "3"])
        XCTAssertEqual(table["only0"], ["0", nil])
        XCTAssertEqual(table["only1"], [nil, "1"])
        for name in ["width_thumb", "height_large", "size_large", "sha256_large", "exif"] {
            XCTAssertEqual(table[name], [nil, nil], name)
        }
        XCTAssertNil(table["width"])
    }

    func testTablesOfRowsThatAreToBeDoneAgainGo() throws {
        let (store, journal) = (store(), try journal(rows: 100))
        try commit([entry(1), entry(15)], store, journal)
        try store.finish()
        XCTAssert(FileManager.default.fileExists(atPath: url("00000.parquet").path))
        // Somebody takes a shard away, and the run ends before its rows are done again.
        try FileManager.default.removeItem(at: url("00000.tar"))
        try store.goOn(with: journal)
        try store.finish()
        XCTAssertFalse(FileManager.default.fileExists(atPath: url("00000.parquet").path))
        XCTAssertEqual(try ParquetListing(Data(contentsOf: url("00001.parquet"))).rows, 1)
    }

    func testNoTwoColumnsOfACatalogBecomeOne() throws {
        var store = store()
        let accents = ["caf\u{E9}", "cafe\u{301}"]
        let names =
            ["url", "catalog_url", "URL", "catalog_catalog_url", "", "catalog_", "Caption", "caption"] + accents
        // In another order each time.
        store.entry = { row in
            let fields = (0..<names.count).map { names[($0 + row) % names.count] }
            return "{" + fields.map { "\"\($0)\":\"\($0) of \(row)\"" }.joined(separator: ",") + "}"
        }
        let journal = try journal(rows: 100)
        let rows = 0..<names.count
        try journal.record(rows.map { Journal.Entry(number: $0, row: row($0, .failed(PhotoError(.http, "404.")))) })
        try store.finish()
        let table = try ParquetListing(Data(contentsOf: url("00000.parquet")))
        for name in names {
            let isOurs = name.isEmpty || name.lowercased() == "url" || name.hasPrefix("catalog_")
            let column = try XCTUnwrap(
                table.columns.first { $0.name.utf8.elementsEqual(((isOurs ? "catalog_" : "") + name).utf8) }, name)
            XCTAssertEqual(column.values.map { $0.map { Array($0.utf8) } }, rows.map { Array("\(name) of \($0)".utf8) })
        }
    }

    func testACatalogWithVeryManyColumnsMakesNoTableOfThem() throws {
        var store = store()
        store.entry = { row in "{" + (0..<100).map { "\"field \(row)-\($0)\":1" }.joined(separator: ",") + "}" }
        let journal = try journal(rows: 100)
        try journal.record((0..<10).map { Journal.Entry(number: $0, row: row($0, .failed(PhotoError(.http, "404.")))) })
        try store.finish()
        let table = try ParquetListing(Data(contentsOf: url("00000.parquet")))
        XCTAssertEqual(table.columns.count { $0.name.hasPrefix("field") }, ShardTable.mostCatalogColumns)
        XCTAssertEqual(table.rows, 10)
    }
}
