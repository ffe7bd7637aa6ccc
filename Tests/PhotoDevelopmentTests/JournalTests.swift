import Foundation
import PhotoPipeline
import Transfers
import XCTest

@testable import PhotoDevelopment

/// What runs remember, and what they make of it.
final class JournalTests: JournalTestCase {
    func testADatabaseIsReadWithoutAnythingBesideItWhateverItsPath() throws {
        let odd = folder + "/a ?b=c#d%41é&"
        try FileManager.default.createDirectory(atPath: odd, withIntermediateDirectories: true)
        let writer = try SQLiteConnection(path: odd + "/x.db")
        try writer.run("CREATE TABLE t (n INTEGER)")
        try writer.run("INSERT INTO t VALUES (7)")
        let reader = try SQLiteConnection(immutable: odd + "/x.db")
        XCTAssertEqual(try reader.number("SELECT n FROM t"), 7)
        XCTAssertTrue(reader.isReadOnly)
        XCTAssertThrowsError(try reader.run("DELETE FROM t"))
        XCTAssertThrowsError(try SQLiteConnection(immutable: odd + "/y.db"))
        XCTAssertEqual(try FileManager.default.contentsOfDirectory(atPath: odd), ["x.db"])
    }

    func testRowsComeBackAsTheyWereInTheCatalogsOrder() throws {
        let journal = try journal(rows: 3_000)
        let odd = ReportRow(
            name: "a\0b \"é\u{301}\" \n", address: "", outcome: .failed(PhotoError(.decodeTimeout, "too, long")))
        try journal.record([Journal.Entry(number: 2_999, row: odd)])
        try journal.record((0..<2_000).reversed().map { Journal.Entry(number: $0, row: row($0)) })
        try journal.record([Journal.Entry(number: 2_500, row: row(2_500, .cancelled))])
        let lines = try recorded()
        XCTAssertEqual(lines, ((0..<2_000).map { row($0) } + [odd]).map { String($0.csv().dropLast()) })
        let totals = try DevelopmentReport(of: output).totals
        XCTAssertEqual([totals.rows, totals.filtered, totals.failed, totals.unfinished], [3_000, 2_000, 1, 999])
        XCTAssertEqual(totals.failures, [.decodeTimeout: 1])
        XCTAssertEqual(totals.bytes, 1_999_000)
    }

    func testWhatIsNoJournalIsNotTakenForOne() throws {
        try place.make()
        for bytes in [Data(repeating: 7, count: 5_000), Data("SQLite format 3\0".utf8)] {
            try bytes.write(to: URL(filePath: place.database))
            XCTAssertThrowsError(try DevelopmentReport(of: output)) { error in
                guard case DevelopmentError.journalUnusable = error else { return XCTFail("\(error)") }
            }
        }
        try FileManager.default.removeItem(atPath: place.database)
        XCTAssertThrowsError(try DevelopmentReport(of: output)) { error in
            guard case DevelopmentError.noJournal = error else { return XCTFail("\(error)") }
        }
        let other = try SQLiteConnection(path: place.database)
        try other.run("CREATE TABLE run (key TEXT PRIMARY KEY, value TEXT NOT NULL)")
        try other.run("INSERT INTO run VALUES ('schema', '99')")
        XCTAssertThrowsError(try DevelopmentReport(of: output)) { XCTAssert("\($0)".contains("version"), "\($0)") }
    }

    func testTheDigestIsOfNamesAndAddressesInOrder() async throws {
        func digest(_ text: String) async throws -> CatalogDigest {
            try Data(("name,url\n" + text).utf8).write(to: URL(filePath: folder + "/c.csv"))
            let catalog = try await Catalog.load(from: .path(folder + "/c.csv"))
            return CatalogDigest(of: CatalogRows(of: catalog, options: options))
        }
        let first = try await digest("a,http://h/1\nb,http://h/2\n")
        let same = try await digest("\"a\",http://h/1\nb,http://h/2\n\n")
        XCTAssertEqual(first, same)
        for other in ["b,http://h/2\na,http://h/1\n", "ah,http://h/1\nb,http://h/2\n", "a,http://h/1\n"] {
            let digest = try await digest(other)
            XCTAssertNotEqual(first, digest, other)
        }
    }

    func testEveryOptionThatChangesPicturesIsInTheRecipe() throws {
        let before = Recipe(of: options)
        XCTAssertNil(Recipe(of: options).difference(from: before))
        let changes: [(String, (inout DevelopmentOptions) throws -> Void)] = [
            ("--filter", { $0.filter = try FilterChain(parsing: "grayscale(1)") }),
            ("--intensity", { $0.intensity = 0.5 }),
            ("--size", { $0.resize = .longestSide(20) }),
            ("--resize", { $0.resize = .exact(width: 1_024, height: 1_024) }),
            ("--enlarge", { $0.resize = Resize(.fit, width: 1_024, height: 1_024, enlarges: true) }),
            ("--format", { $0.encoder.format = .png }), ("--quality", { $0.encoder.quality = 1 }),
            ("--progressive", { $0.encoder.isProgressive = true }),
            ("--optimize", { $0.encoder.optimizesCoding = true }),
            ("--chroma", { $0.encoder.chromaSubsampling = .half }),
            ("--lossless", { $0.encoder.isLossless = true }), ("--avif-speed", { $0.encoder.avifSpeed = 3 }),
            ("--background", { $0.encoder.background = .black }), ("--metadata", { $0.keepsMetadata = true }),
            ("--layout", { $0.layout = .webDataset() }), ("--original", { $0.keepsOriginals = true }),
            ("--min-size", { $0.bounds.minHeight = 2 }), ("--max-aspect", { $0.bounds.maxAspect = 2 }),
        ]
        for (option, change) in changes {
            var other = options
            try change(&other)
            XCTAssertEqual(Recipe(of: other).difference(from: before)?.option, option)
        }
        let journal = try journal(rows: 1, recipe: before)
        XCTAssertEqual(try journal.recipe(), before)
        // Journals of versions that had one layout, and made all pictures anew.
        let known = before.items.filter {
            !["--layout", "--rows-per-shard", "--original", "--min-size", "--max-aspect"].contains($0.option)
        }
        XCTAssertNil(before.difference(from: Recipe(known)))
        var older = before.items
        older.removeLast()
        XCTAssertNotNil(before.difference(from: Recipe(older)))
        XCTAssertNotNil(Recipe(older).difference(from: before))
    }

    // MARK: Runs

    private func run(_ catalog: Catalog, _ options: DevelopmentOptions) async throws -> DevelopmentSummary {
        try await Development(of: catalog, options: options).run()
    }

    func testTheSameRunAgainTakesWhatIsNotDoneAndWhatIsGone() async throws {
        let catalog = try await catalog(["a.jpg", "b.jpg", "gone.jpg"])
        let first = try await run(catalog, options)
        XCTAssertEqual([first.progress.filtered, first.progress.failed], [2, 1])
        let file = try XCTUnwrap(recorded().first?.split(separator: ",")[3])
        try FileManager.default.removeItem(atPath: "\(output)/\(file)")
        let second = try await run(catalog, options)
        XCTAssertEqual([second.progress.filtered, second.progress.filteredEarlier], [1, 1])
        XCTAssertEqual([second.progress.failed, second.progress.failedEarlier], [0, 1])
        XCTAssertEqual(second.failures, [.notFound: 1])
        XCTAssertEqual(second.examples.map(\.name), ["gone.jpg"])
        XCTAssertEqual(second.cancelled, 0)
        let third = try await run(catalog, options)
        XCTAssertEqual([third.progress.filtered, third.progress.filteredEarlier], [0, 2])
    }

    /// A link to itself stands in for a folder that cannot be searched and for a disk that fails, which root never sees.
    func testARunDoesNotGoOnWhereItCannotBeKnownWhatIsGone() async throws {
        let catalog = try await catalog(["a.jpg", "b.jpg"])
        let first = await (try Development(of: catalog, options: options)).run()
        XCTAssertEqual(first.progress.filtered, 2)
        let before = try recorded()
        let name = try XCTUnwrap(
            FileManager.default.contentsOfDirectory(atPath: output).sorted().first { $0.hasSuffix(".jpg") })
        try FileManager.default.removeItem(atPath: output + "/" + name)
        try FileManager.default.createSymbolicLink(atPath: output + "/" + name, withDestinationPath: name)
        for begin in [
            { [options] in _ = try Development(of: catalog, options: options) },
            { [options] in _ = try DevelopmentPreview(of: catalog, options: options) },
        ] {
            XCTAssertThrowsError(try begin()) {
                guard case .outputUnusable(let path, _)? = $0 as? DevelopmentError else { return XCTFail("\($0)") }
                XCTAssertEqual(path, output + "/" + name)
            }
        }
        XCTAssertEqual(try recorded(), before)
        // Whoever takes the result over is not told that it is gone either.
        let store = FileStore(folder: OutputFolder(unprepared: output))
        XCTAssertThrowsError(try store.copy(of: 0, named: [name], as: ["other.jpg"], from: nil)) {
            XCTAssertEqual(($0 as? FileError)?.code, ELOOP)
        }
    }

    func testFailuresAreTakenAgainOnRequestAndNothingElse() async throws {
        let catalog = try await catalog(["a.jpg", "gone 1.jpg", "gone 2.jpg"])
        _ = try await run(catalog, options)
        var again = options
        again.resumption = .onlyFailed([.http])
        let others = try await run(catalog, again)
        XCTAssertEqual([others.progress.failed, others.progress.failedEarlier], [0, 2])
        try FileManager.default.copyItem(atPath: folder + "/a.jpg", toPath: folder + "/gone 1.jpg")
        again.resumption = .onlyFailed([.http, .notFound])
        let summary = try await run(catalog, again)
        XCTAssertEqual([summary.progress.filtered, summary.progress.failed], [1, 1])
        XCTAssertEqual(summary.progress.failedEarlier, 0)
        XCTAssertEqual(try recorded().count, 3)
        XCTAssertEqual(try DevelopmentReport(of: output).totals.failed, 1)
    }

    /// What is named as the way on has to lead on.
    func testACatalogThatHasGrownGoesOnAnewWithWhatIsThere() async throws {
        _ = try await run(try await catalog(["a.jpg"]), options)
        let grown = try await catalog(["a.jpg", "b.jpg"])
        var next = options
        for skipsExisting in [false, true] {
            next.skipExisting = skipsExisting
            XCTAssertThrowsError(try Development(of: grown, options: next)) { error in
                guard case DevelopmentError.catalogChanged(_, canKeepFiles: true) = error else {
                    return XCTFail("\(error)")
                }
                XCTAssert("\(error)".contains("--fresh --skip-existing goes on with the new catalog"), "\(error)")
            }
        }
        next.resumption = .fresh
        let summary = try await run(grown, next)
        XCTAssertEqual([summary.progress.filtered, summary.progress.skipped], [1, 1])

        let set = folder + "/set"
        next = DevelopmentOptions(output: set)
        next.layout = .webDataset()
        _ = try await run(try await catalog(["a.jpg"]), next)
        XCTAssertThrowsError(try Development(of: grown, options: next)) { error in
            guard case DevelopmentError.catalogChanged(_, canKeepFiles: false) = error else {
                return XCTFail("\(error)")
            }
            XCTAssertFalse("\(error)".contains("--skip-existing"), "\(error)")
        }
    }

    func testADifferenceIsToldAsItIsTyped() throws {
        func recipe(_ resize: Resize, minSize: Int? = nil) -> Recipe {
            var options = options
            options.resize = resize
            if let minSize { (options.bounds.minWidth, options.bounds.minHeight) = (minSize, minSize) }
            return Recipe(of: options)
        }
        func told(_ before: Recipe, _ now: Recipe) -> [String] {
            now.difference(from: before).map { [$0.option, $0.before, $0.now] } ?? []
        }
        let side = recipe(Resize(.fit, width: 32, height: 32))
        XCTAssertEqual(told(side, recipe(Resize(.fit, width: 64, height: 64))), ["--size", "32", "64"])
        XCTAssertEqual(told(side, recipe(Resize(.fit, width: 64, height: 48))), ["--size", "32", "64x48"])
        // A side alone is no box to be filled.
        XCTAssertEqual(told(side, recipe(Resize(.crop, width: 64, height: 64))), ["--size", "32", "64x64"])
        XCTAssertEqual(
            told(side, recipe(Resize(.fit, width: 32, height: 32), minSize: 8)), ["--min-size", "none", "8"])
    }

    func testAnotherCatalogAnotherRecipeAndASecondRunAreRefused() async throws {
        let catalog = try await catalog(["a.jpg"])
        _ = try await run(catalog, options)
        var other = options
        other.encoder.quality = 20
        XCTAssertThrowsError(try Development(of: catalog, options: other)) { error in
            guard case DevelopmentError.recipeDiffers(_, "--quality", "85", "20") = error else {
                return XCTFail("\(error)")
            }
        }
        other = options
        other.skipExisting = true
        XCTAssertThrowsError(try Development(of: catalog, options: other)) { error in
            guard case DevelopmentError.journalBesideSkipExisting = error else { return XCTFail("\(error)") }
        }
        let changed = try await self.catalog(["a.jpg", "b.jpg"])
        XCTAssertThrowsError(try Development(of: changed, options: options)) { error in
            guard case DevelopmentError.catalogChanged = error else { return XCTFail("\(error)") }
        }
        var fresh = options
        fresh.resumption = .fresh
        let summary = try await run(changed, fresh)
        XCTAssertEqual([summary.progress.filtered, summary.progress.filteredEarlier], [2, 0])

        let running = try Development(of: changed, options: options)
        XCTAssertThrowsError(try Development(of: changed, options: options)) { error in
            guard case DevelopmentError.outputInUse = error else { return XCTFail("\(error)") }
        }
        _ = await running.run()
    }

    func testRowsThatTheCatalogDoesNotHaveAreNotMinded() async throws {
        let catalog = try await catalog(["a.jpg", "gone.jpg"])
        _ = try await run(catalog, options)
        let journal = try Journal(opening: place.database)
        try journal.record([.min, -1, 2, .max].map { Journal.Entry(number: $0, row: row(1)) })
        let summary = try await run(catalog, options)
        XCTAssertEqual([summary.progress.filteredEarlier, summary.progress.failedEarlier], [1, 1])
        XCTAssertEqual(summary.cancelled, 0)
    }

    func testWhereARunWasKilledBeforeItBeganTheNextOneBegins() async throws {
        try place.make()
        try Data().write(to: URL(filePath: place.database))
        let catalog = try await catalog(["a.jpg"])
        let summary = try await run(catalog, options)
        XCTAssertEqual(summary.progress.filtered, 1)
    }

    /// Whoever copies a folder, or puts it on a disk that can only be read, may take this file alone.
    func testTheDatabaseOfARunThatHasEndedIsWhole() async throws {
        let development = try Development(of: try await catalog(["a.jpg", "b.jpg", "gone.jpg"]), options: options)
        _ = await development.run()
        try withExtendedLifetime(development) {
            let copy = folder + "/copy.db"
            try FileManager.default.copyItem(atPath: place.database, toPath: copy)
            XCTAssertEqual(JournalRows(of: try Journal(opening: copy)).map(\.name), ["a.jpg", "b.jpg", "gone.jpg"])
            let log = try? FileManager.default.attributesOfItem(atPath: place.database + "-wal")
            XCTAssertEqual(log?[.size] as? Int ?? 0, 0)
        }
    }

    func testNumbersOutOfBoundsAreBroughtIntoThem() async throws {
        let catalog = try await catalog(["a.jpg", "b.jpg"])
        for number in [0, -2, .min, .max] {
            var options = DevelopmentOptions(output: "\(folder)/\(number)")
            (options.jobs, options.connections, options.connectionsPerHost) = (number, number, number)
            let summary = try await run(catalog, options)
            XCTAssertEqual(summary.progress.filtered, 2)
        }
    }

    func testAPersonIsToldFirstWhatMakesAPicture() {
        var options = DevelopmentOptions(output: "x")
        options.layout = .webDataset()
        options.filter = .none
        let names = Recipe(of: options).byImportance.map(\.option)
        XCTAssertEqual(
            names.prefix(6), ["--filter", "--size", "--format", "--quality", "--layout", "--rows-per-shard"])
        XCTAssertEqual(Set(names).count, names.count)
        XCTAssertGreaterThan(names.firstIndex(of: "--exif") ?? 0, names.firstIndex(of: "--chroma") ?? 99)
        XCTAssertFalse(names.contains { !$0.hasPrefix("--") })
    }
}
