import Foundation
import Glibc
import ImageCodecs
import TestServers
import XCTest

/// `develop` that is killed again and again, at random moments, and then goes on to its end.
///
/// `KILLS` says how often it is killed, and `SEED` repeats a run that failed.
final class KillLoopTests: DevelopTestCase {
    private static let rate = 100
    private static let lateRate = 25
    /// Seconds in which a batch is marked, on a slow machine.
    private static let recentTime = 4

    /// How results are found in an output folder.
    private struct Layout {
        var isShards = false
        var hasVariants = false
        var hasFolders = false

        var options: [String] {
            (isShards ? ["--layout", "webdataset", "--rows-per-shard", "7"] : [])
                + (hasFolders ? ["--names", "plain", "--shard-folders"] : [])
                + (hasVariants
                    ? ["--variant", "thumb:16::", "--variant", "large:32:grayscale(1):png"] : ["--size", "32"])
        }

        /// What a report's row says that does not differ from run to run: its first columns and the files of variants.
        func told(_ row: [String]) -> [String] { Array(row.prefix(6) + row.dropFirst(8)) }

        /// The results that such a row names.
        func files(_ told: [String]) -> [String] {
            (hasVariants ? Array(told.dropFirst(6)) : [told[5]]).filter { !$0.isEmpty }
        }

        /// What is there for such a row: its results, and in shards what is said of them.
        func members(_ told: [String]) -> [String] {
            let files = files(told)
            guard isShards, let first = files.first else { return files }
            let start = first.lastIndex(of: "/") ?? first.startIndex
            return files + [first[..<start] + first[start...].prefix { $0 != "." } + ".json"]
        }

        /// The results that are there whole, by the names that reports have for them.
        ///
        /// - Parameter isOver: Whether no run was killed there, so that nothing else is there, either.
        func results(in folder: URL, isOver: Bool) throws -> [String: Data] {
            // A run that was killed early has not made the folder yet.
            let isThere = isOver || FileManager.default.fileExists(atPath: folder.path)
            let names = isThere ? try FileManager.default.subpathsOfDirectory(atPath: folder.path) : []
            var results: [String: Data] = [:]
            for name in names where name != "index.jsonl" && !name.contains("/.") && !name.hasPrefix(".") {
                // Folders that results are in.
                let last = name.split(separator: "/").last ?? ""
                if ["thumb", "large"].contains(last) || last.allSatisfy(\.isNumber) { continue }
                let bytes = try Data(contentsOf: folder.appending(path: name))
                guard isShards else {
                    results[name] = bytes
                    continue
                }
                if name.hasSuffix(".parquet") {
                    // After a kill it may be that of an earlier run.
                    if isOver { results[name] = try lasting(ParquetListing(bytes)) }
                    continue
                }
                let shard = TarListing(bytes)
                if isOver { XCTAssert(shard.isWhole, name) }
                for member in shard.members {
                    let told = member.name.hasSuffix(".json") ? try lasting(member.bytes) : member.bytes
                    XCTAssertNil(
                        results.updateValue(told, forKey: "\(name)/\(member.name)"), "\(member.name) is there twice")
                }
            }
            return results
        }

        /// What a table says, without what differs from run to run.
        private func lasting(_ table: ParquetListing) -> Data {
            let columns = table.columns.filter { !["milliseconds", "bytes"].contains($0.name) }
            return Data(columns.map { "\($0.name): \($0.values)\n" }.joined().utf8)
        }

        /// What a sample says, without what differs from run to run.
        private func lasting(_ json: Data) throws -> Data {
            var object = try XCTUnwrap(JSONSerialization.jsonObject(with: json) as? [String: Any])
            for key in ["milliseconds", "bytes"] { XCTAssertNotNil(object.removeValue(forKey: key)) }
            return try JSONSerialization.data(withJSONObject: object, options: .sortedKeys)
        }
    }

    private struct Random {
        var state: UInt64

        mutating func next(_ bound: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33) % bound
        }
    }

    /// Names, and paths at the server: pictures, some of them several times, and all kinds of failure.
    private func makeRows(_ count: Int, _ random: inout Random) throws -> [(name: String, path: String)] {
        let images = try (0..<7).map { try Self.image(.jpeg, width: 64 + $0, height: 40) }
        var rows: [(name: String, path: String)] = []
        for index in 0..<count {
            let path = "/photos/\(index)"
            switch random.next(20) {
            case 0: break
            case 1: server.serve(Data("no picture".utf8), at: path)
            default: server.serve(images[index % images.count], at: path)
            }
            rows.append(("row \(index)", path))
            // Not of those that fail: an address that failed is tried for each row that has not come to its end.
            let isImage = index % 20 == 7
            if isImage {
                server.serve(images[0], at: path)
                for copy in 0..<3 { rows.append(("row \(index), copy \(copy)", path)) }
            }
        }
        return rows
    }

    /// The rows that are marked, without what differs from run to run.
    private func marked(_ layout: Layout) throws -> [[String]] {
        let run = try ProgramRun(["report", output.path, "-o", report.path])
        guard run.wait() == 0 else { return [] }
        return try rows().map(layout.told)
    }

    func testAfterManyKillsEverythingIsThereOnceAndAsInAnUndisturbedRun() throws {
        try killAgainAndAgain(Layout(), usually: 10)
    }

    func testAfterManyKillsShardsAreWholeAndAsInAnUndisturbedRun() throws {
        try killAgainAndAgain(Layout(isShards: true), usually: 4)
    }

    func testAfterManyKillsAllVariantsAreThereOnceAndAsInAnUndisturbedRun() throws {
        try killAgainAndAgain(Layout(hasVariants: true, hasFolders: true), usually: 4)
    }

    func testAfterManyKillsShardsHaveAllVariantsAsInAnUndisturbedRun() throws {
        try killAgainAndAgain(Layout(isShards: true, hasVariants: true), usually: 3)
    }

    func testAfterManyKillsFilesInFoldersHaveTheirNamesAndAreAsInAnUndisturbedRun() throws {
        try killAgainAndAgain(Layout(hasFolders: true), usually: 3)
    }

    private func killAgainAndAgain(_ layout: Layout, usually: Int) throws {
        let environment = ProcessInfo.processInfo.environment
        let kills = environment["KILLS"].flatMap { Int($0) } ?? usually
        let seed = environment["SEED"].flatMap { UInt64($0) } ?? UInt64.random(in: 0...UInt64.max)
        print("seed \(seed)")
        var random = Random(state: seed)
        let rows = try makeRows(110 * kills, &random)
        let paths = Dictionary(uniqueKeysWithValues: rows.map { ($0.name, $0.path) })
        let catalog = try catalog(rows.map { ($0.name, server.url($0.path).absoluteString) })

        let undisturbed = folder.appending(path: "undisturbed")
        let options = layout.options
        let reference = try ProgramRun(
            ["develop", catalog, "-o", undisturbed.path, "--report", report.path] + options)
        XCTAssertEqual(reference.wait(), 1, reference.error)
        let expected = try self.rows().map(layout.told)
        XCTAssertEqual(expected.map { $0[0] }, rows.map(\.name))
        let results = try layout.results(in: undisturbed, isOver: true)
        XCTAssertEqual(
            results.keys.filter { !$0.hasSuffix(".parquet") }.sorted(), Set(expected.flatMap(layout.members)).sorted())
        let once = Dictionary(uniqueKeysWithValues: Set(paths.values).map { ($0, server.requestCount($0)) })

        let arguments = ["develop", catalog, "--output", output.path, "--quiet"] + options
        var done: [String: Int] = [:]
        var lost = 0
        // Rounds in which much had come before the last batch's time.
        var late = 0
        for round in 0..<kills {
            // Mostly early, where batches are young; now and then late, and so slowly that every machine keeps up.
            let isLate = round % 4 == 2
            let moment = (isLate ? Self.recentTime * 1_000 : 0) + random.next(1_000)
            let rate = isLate ? Self.lateRate : Self.rate
            let before = server.requestCount()
            // Pictures are the same ones however they came to be.
            let dedupe = round % 2 == 1 ? ["--dedupe", "content"] : []
            let run = try ProgramRun(arguments + dedupe + ["--rate", "\(rate)"])
            if isLate { wait("requests") { server.requestCount() >= before + 24 || !run.isRunning } }
            // The requests of which nothing may be left: those of the last batch.
            var counts: [(time: Date, requests: Int)] = [(Date(), server.requestCount())]
            let end = Date(timeIntervalSinceNow: Double(moment) / 1_000)
            while Date() < end, run.isRunning {
                usleep(2_000)
                counts.append((Date(), server.requestCount()))
            }
            run.send(SIGKILL)
            run.wait()
            let rows = try marked(layout)
            let recent = counts.last { $0.time < end.addingTimeInterval(-Double(Self.recentTime)) }?.requests ?? before
            if recent > before + 16 { late += 1 }
            let marked = Set(rows.compactMap { paths[$0[0]] })
            let fresh = marked.count - done.count
            let unmarked = server.requestCount() - before - fresh
            lost += unmarked
            XCTAssertLessThanOrEqual(unmarked, server.requestCount() - recent + 8, "round \(round), seed \(seed)")
            let there = try layout.results(in: output, isOver: false)
            for row in rows {
                for name in layout.members(row) {
                    XCTAssert(
                        there[name] == results[name], "\(row[0]) is marked: \(name), round \(round), seed \(seed)")
                }
            }
            for path in marked where done[path] == nil { done[path] = server.requestCount(path) }
        }

        XCTAssertGreaterThan(late, 0, "no round had anything to lose, seed \(seed)")
        XCTAssertGreaterThan(done.count, 0, "nothing was marked, seed \(seed)")

        let last = try ProgramRun(arguments + ["--report", report.path])
        XCTAssertEqual(last.wait(), 1, last.error)
        XCTAssertEqual(try self.rows().map(layout.told), expected, "seed \(seed)")
        let there = try layout.results(in: output, isOver: true)
        XCTAssertEqual(there.keys.sorted(), results.keys.sorted(), "seed \(seed)")
        for (name, result) in results { XCTAssert(there[name] == result, "\(name), seed \(seed)") }
        // What was marked was not asked for again.
        for (path, count) in done { XCTAssertEqual(server.requestCount(path), count, "\(path), seed \(seed)") }
        let twice = paths.values.reduce(into: Set<String>()) { $0.insert($1) }
            .reduce(0) { $0 + server.requestCount($1) - (once[$1] ?? 0) - 1 }
        XCTAssertEqual(twice, lost, "seed \(seed)")
        print(
            "\(kills) kills, \(done.count) of \(Set(paths.values).count) addresses done before the last run, \(twice) twice"
        )
    }
}
