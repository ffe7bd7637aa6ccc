import Foundation
import ImageCodecs
import PhotoPipeline
import Pixels
import TestServers
import Transfers
import XCTest

@testable import PhotoDevelopment

/// What runs with several pictures of each photo remember, and how their files come to be there.
final class VariantJournalTests: JournalTestCase {
    private func variants(_ names: String...) throws -> [DevelopmentOptions.Variant] {
        try names.map { try DevelopmentOptions.Variant($0, filter: .none, resize: .longestSide(8)) }
    }

    private func options(_ names: String...) throws -> DevelopmentOptions {
        var options = self.options
        options.variants = try names.map {
            try DevelopmentOptions.Variant($0, filter: .none, resize: .longestSide(8))
        }
        return options
    }

    private func result(_ variant: String, _ text: String) -> StagedPicture {
        .bytes(
            FinishedResult(
                variant: variant, bytes: Data(text.utf8), ending: "jpg", address: "https://example.org/x",
                publishedSize: PixelSize(width: 640, height: 480), size: PixelSize(width: 64, height: 48)))
    }

    private var shards: ShardStore {
        ShardStore(
            folder: OutputFolder(unprepared: output), names: ShardNames(rows: 100, rowsPerShard: 10),
            variants: ["a", "b"])
    }

    // MARK: Options

    func testNamesAreWordsAndDiffer() throws {
        for name in ["a", "Thumb_2", "0-", String(repeating: "x", count: 64)] {
            XCTAssertEqual(try DevelopmentOptions.Variant(name).name, name)
        }
        for name in ["", "-a", "_a", "a/b", "a.b", "a b", "ä", "json", "None", "..", String(repeating: "x", count: 65)]
        {
            XCTAssertThrowsError(try DevelopmentOptions.Variant(name), name)
        }
        XCTAssertNoThrow(try options("a", "b").checkVariants())
        XCTAssertThrowsError(try options("a", "b", "A").checkVariants()) { XCTAssert("\($0)".contains("called A")) }
        var originals = try options("a")
        originals.keepsOriginals = true
        XCTAssertThrowsError(try originals.checkVariants())
    }

    func testEveryVariantIsInTheRecipe() throws {
        let before = Recipe(of: try options("a", "b"))
        XCTAssertEqual(before.variants, ["a", "b"])
        XCTAssertEqual(Recipe(of: options).variants, [])
        let changes: [(String, (inout DevelopmentOptions) throws -> Void)] = [
            ("--variant", { $0.variants.removeLast() }), ("--variant", { $0.variants.swapAt(0, 1) }),
            ("--variant", { $0.variants = [] }),
            ("--filter of variant b", { $0.variants[1].filter = .classic }),
            ("--size of variant a", { $0.variants[0].resize = nil }),
            ("--format of variant b", { $0.variants[1].encoder.format = .png }),
            ("--quality of variant a", { $0.variants[0].encoder.quality = 3 }),
            ("--metadata of variant a", { $0.keepsMetadata = true }),
        ]
        for (option, change) in changes {
            var other = try options("a", "b")
            try change(&other)
            XCTAssertEqual(Recipe(of: other).difference(from: before)?.option, option)
        }
        // These are of no account where there are variants.
        var other = try options("a", "b")
        other.filter = .none
        other.resize = nil
        other.encoder.format = .png
        XCTAssertNil(Recipe(of: other).difference(from: before))
        // A journal of before there were variants.
        let known = Recipe(of: options).items.filter { $0.option != "--variant" }
        XCTAssertNil(Recipe(of: options).difference(from: Recipe(known)))
        XCTAssertEqual(before.difference(from: Recipe(known))?.before, "none")
    }

    // MARK: Files

    func testFilesOfARowGetTheirNamesTogetherOrNotAtAll() throws {
        for name in ["a", "b"] {
            try FileManager.default.createDirectory(atPath: output + "/" + name, withIntermediateDirectories: true)
        }
        let (folder, journal) = (OutputFolder(unprepared: output), try journal(rows: 2))
        let store = FileStore(folder: folder, variants: ["a", "b"])
        func entry(_ number: Int, _ text: String) throws -> JournalWriter.Entry {
            let files = ["a/\(number).jpg", "b/\(number).jpg"]
            let pictures = try files.map { _ in StagedPicture.file(try folder.unnamed(Data(text.utf8))) }
            return JournalWriter.Entry(
                number: number, row: row(number, .filtered(files: files)), result: .pictures(pictures))
        }
        func names() throws -> [String] {
            try FileManager.default.subpathsOfDirectory(atPath: output).filter { $0.hasSuffix("jpg") }.sorted()
        }
        _ = try store.commit([try entry(0, "first")], journal)
        XCTAssertEqual(try names(), ["a/0.jpg", "b/0.jpg"])
        // Nothing can have this name, as a folder has it.
        try FileManager.default.createDirectory(atPath: output + "/b/1.jpg", withIntermediateDirectories: true)
        XCTAssertThrowsError(try store.commit([try entry(1, "second")], journal)) {
            XCTAssert(($0 as? PhotoError)?.detail.contains("b/1.jpg") ?? false, "\($0)")
        }
        XCTAssertEqual(try names(), ["a/0.jpg", "b/0.jpg", "b/1.jpg"])
        // What was there before stays, as another row may have it.
        try Data("there".utf8).write(to: URL(filePath: output + "/a/1.jpg"))
        XCTAssertThrowsError(
            try store.copy(of: 0, named: ["a/0.jpg", "b/0.jpg"], as: ["a/1.jpg", "b/1.jpg"], from: nil))
        XCTAssertEqual(try names(), ["a/0.jpg", "a/1.jpg", "b/0.jpg", "b/1.jpg"])
        try FileManager.default.removeItem(atPath: output + "/b/0.jpg")
        XCTAssertThrowsError(
            try store.copy(of: 0, named: ["a/0.jpg", "b/0.jpg"], as: ["a/2.jpg", "b/2.jpg"], from: nil)
        ) {
            XCTAssertEqual(($0 as? FileError)?.code, ENOENT)
        }
        XCTAssertEqual(try names(), ["a/0.jpg", "a/1.jpg", "b/1.jpg"])
        for (number, files) in [["a/0.jpg"], ["a/0.jpg", "b/0.jpg"]].enumerated() {
            try journal.record([Journal.Entry(number: number, row: row(number, .filtered(files: files)))])
        }
        let isThere = try store.presence(by: journal)
        XCTAssert(isThere(0, ["a/0.jpg"]) && !isThere(1, ["a/0.jpg", "b/0.jpg"]))
        XCTAssertEqual(
            try FileManager.default.subpathsOfDirectory(atPath: output).filter { $0.hasSuffix(".part") }, [])
    }

    /// Each of them is open until its batch is committed.
    func testRowsWithManyFilesMakeSmallerBatches() async throws {
        let folder = OutputFolder(unprepared: output)
        func entry(_ number: Int) throws -> JournalWriter.Entry {
            let files = (0..<32).map { "\(number)-\($0).jpg" }
            let pictures = try files.map { _ in StagedPicture.file(try folder.unnamed(Data("x".utf8))) }
            return JournalWriter.Entry(
                number: number, row: row(number, .filtered(files: files)), result: .pictures(pictures))
        }
        let writer = JournalWriter(
            try journal(rows: 8), store: FileStore(folder: folder), interval: .seconds(3_600),
            pause: .seconds(3_600))
        let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
        writer.listen(
            JournalWriter.Listener(
                whenEnded: { entries, areDurable in continuation.yield(areDurable ? entries.count : -1) },
                whenFailed: { XCTFail("\($0)") }, holdBack: { _ in }))
        for number in 0..<8 { writer.add(try entry(number)) }
        var ended = 0
        for await count in stream {
            ended += count
            if ended >= 8 || count < 0 { break }
            // What came behind a batch that was quickly done is none by itself.
            writer.flush()
        }
        XCTAssertEqual(ended, 8)
        XCTAssertEqual(try recorded().count, 8)
    }

    // MARK: Shards

    func testASampleHasAllVariants() throws {
        let (store, journal) = (shards, try journal(rows: 100))
        let entry = JournalWriter.Entry(
            number: 7, row: row(7, .filtered(files: ["00000.tar/00008.a.jpg", "00000.tar/00008.b.jpg"])),
            result: .pictures([result("a", "one"), result("b", "second")]))
        let committed = try store.commit([entry], journal)
        try journal.record([Journal.Entry(number: 7, row: entry.row)], committed)
        let tar = TarListing(try Data(contentsOf: URL(filePath: output + "/00000.tar")))
        XCTAssertEqual(tar.members.map(\.name), ["00008.a.jpg", "00008.b.jpg", "00008.json"])
        let sample = try XCTUnwrap(journal.sample(of: 7))
        XCTAssertEqual(sample, committed.samples[0])
        XCTAssertEqual(sample.pictures.map(\.facts.variant), ["a", "b"])
        XCTAssertEqual(sample.end, tar.end)
        let copy = JournalWriter.Entry(
            number: 31, row: row(31, .filtered(files: ["00003.tar/00032.a.jpg", "00003.tar/00032.b.jpg"])),
            result: .copy(of: 7, from: nil))
        try journal.record([Journal.Entry(number: 31, row: copy.row)], try store.commit([copy], journal))
        XCTAssertEqual(
            try TarListing(Data(contentsOf: URL(filePath: output + "/00003.tar"))).members.prefix(2).map(\.bytes),
            [Data("one".utf8), Data("second".utf8)])
        // Where the last bytes of a sample are gone, all of it is.
        try Data(contentsOf: URL(filePath: output + "/00000.tar")).prefix(tar.end - 600)
            .write(to: URL(filePath: output + "/00000.tar"))
        XCTAssertFalse(try store.presence(by: journal)(7, [""]))
        XCTAssertEqual(try journal.rows(ofShard: 0, beyond: 0), [7])
        try store.goOn(with: journal)
        XCTAssertNil(try journal.sample(of: 7))
        XCTAssertEqual(try journal.totals().filtered, 1)
    }

    // MARK: Versions

    /// The tables as the first version made them.
    private func makeFirstVersion(of path: String) throws {
        let other = try SQLiteConnection(path: path, creates: false)
        try other.run("DROP TABLE sample")
        try other.run(
            """
            CREATE TABLE sample (
                number INTEGER PRIMARY KEY, shard INTEGER NOT NULL, first_byte INTEGER NOT NULL, bytes INTEGER NOT NULL,
                sample_end INTEGER NOT NULL, ending TEXT NOT NULL, address TEXT, original_width INTEGER NOT NULL,
                original_height INTEGER NOT NULL, width INTEGER NOT NULL, height INTEGER NOT NULL, sha256 TEXT NOT NULL)
                STRICT
            """)
        try other.run("CREATE INDEX sample_by_place ON sample (shard, sample_end)")
        try other.run(
            "INSERT INTO sample VALUES (4, 0, 512, 9, 2560, 'jpg', NULL, 640, 480, 64, 48, 'abc')")
        try other.run("DELETE FROM run WHERE key = 'recipe --variant'")
        try other.run("UPDATE run SET value = '1' WHERE key = 'schema'")
    }

    func testAJournalOfTheFirstVersionIsReadAndGoneOnWith() async throws {
        let catalog = try await catalog(["a.jpg", "b.jpg"])
        let first = await (try Development(of: catalog, options: options)).run()
        XCTAssertEqual(first.progress.filtered, 2)
        let before = try recorded()
        try makeFirstVersion(of: place.database)
        // A report and a dry run leave it as it is.
        XCTAssertEqual(try DevelopmentReport(of: output).totals.filtered, 2)
        _ = try DevelopmentPreview(of: catalog, options: options)
        XCTAssertNil(try? Journal(opening: place.database).sample(of: 4))
        let second = await (try Development(of: catalog, options: options)).run()
        XCTAssertEqual([second.progress.filtered, second.progress.filteredEarlier], [0, 2])
        XCTAssertEqual(try recorded(), before)
        let journal = try Journal(opening: place.database)
        var version: String?
        try journal.connection.run("SELECT value FROM run WHERE key = 'schema'") { version = $0.text(0) }
        XCTAssertEqual(version, "2", "A program that knows the first version only must not take it for one of its own.")
        let sample = try XCTUnwrap(journal.sample(of: 4))
        let facts = Sample.Facts(
            variant: nil, ending: "jpg", address: nil, publishedSize: PixelSize(width: 640, height: 480),
            size: PixelSize(width: 64, height: 48), sha256: "abc")
        XCTAssertEqual(
            sample,
            Sample(number: 4, shard: 0, end: 2_560, pictures: [Sample.Picture(start: 512, count: 9, facts: facts)]))
        var other = options
        other.variants = try variants("a")
        XCTAssertThrowsError(try Development(of: catalog, options: other)) {
            XCTAssert("\($0)".contains("--variant was none, and is a now"), "\($0)")
        }
    }
}
