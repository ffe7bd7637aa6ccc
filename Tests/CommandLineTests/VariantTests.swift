import Foundation
import Glibc
import ImageCodecs
import Pixels
import TestServers
import XCTest

/// `develop --variant`: several pictures of each photo.
final class VariantTests: DevelopTestCase {
    private let variants = ["--filter", "none", "--variant", "thumb:64::", "--variant", "large:200:grayscale(1):webp"]
    private let layout = ["--layout", "webdataset"]

    /// All files in the output folder, by their paths in it, without what runs remember.
    private func results() throws -> [String: Data] {
        var results: [String: Data] = [:]
        for path in try FileManager.default.subpathsOfDirectory(atPath: output.path)
        where !path.hasPrefix(".classicphotos") {
            let file = output.appending(path: path)
            guard try file.resourceValues(forKeys: [.isRegularFileKey]).isRegularFile == true else { continue }
            results[path] = try Data(contentsOf: file)
        }
        return results
    }

    private func members() throws -> [String: Data] {
        let shard = TarListing(try Data(contentsOf: output.appending(path: "00000.tar")))
        XCTAssert(shard.isWhole)
        return Dictionary(shard.members.map { ($0.name, $0.bytes) }) { first, _ in first }
    }

    private func object(_ json: Data) throws -> [String: Any] {
        try XCTUnwrap(JSONSerialization.jsonObject(with: json) as? [String: Any])
    }

    private func requests(_ path: String) -> Int { server.requestCount(path) }

    /// A photo of which the variant `wide` cannot be made, as WebP has no such width, and others can.
    private func serveWidePhoto() throws -> String {
        server.serve(try Self.image(.png, width: 17_000, height: 8), at: "/wide.png")
        return server.url("/wide.png").absoluteString
    }

    // MARK: What is made

    func testEachPhotoHasAFilePerVariantOfOneDownload() throws {
        let catalog = try catalog([
            ("a", server.url("/a.jpg").absoluteString), ("gone", server.url("/status/404").absoluteString),
            ("b", server.url("/b.png").absoluteString),
        ])
        let sheet = folder.appending(path: "sheet.jpg")
        let (status, rows, run) = try develop(catalog, variants + ["--contact-sheet", sheet.path])
        XCTAssertEqual(status, 1, run.error)
        XCTAssertEqual(rows.map { $0[2] }, ["filtered", "failed", "filtered"])
        XCTAssertEqual(try files(), ["large", "thumb"])
        let results = try results()
        XCTAssertEqual(results.keys.sorted(), rows.flatMap { $0[8...] }.filter { !$0.isEmpty }.sorted())
        for row in [rows[0], rows[2]] {
            XCTAssertEqual(row[5], row[8])
            let stem = try XCTUnwrap(row[8].split(separator: "/").last).dropLast(4)
            XCTAssertEqual(row[8...].map { $0 }, ["thumb/\(stem).jpg", "large/\(stem).webp"])
            let (thumb, large) = (try XCTUnwrap(results[row[8]]), try XCTUnwrap(results[row[9]]))
            XCTAssertEqual(try ImageDecoder.probe(thumb).size.width, 64)
            XCTAssertEqual(try ImageDecoder.probe(large).size.width, 200)
            XCTAssertEqual([ImageFormat(sniffing: thumb), ImageFormat(sniffing: large)], [.jpeg, .webp])
        }
        XCTAssertEqual(rows[1][8...].map { $0 }, ["", ""])
        for path in ["/a.jpg", "/b.png", "/status/404"] { XCTAssertEqual(requests(path), 1, path) }
        // The bytes of the one transfer, once.
        XCTAssertEqual(rows[0][6], "\(try Self.image(.jpeg).count)")
        XCTAssertEqual(try ImageDecoder.probe(Data(contentsOf: sheet)).size.height, 180 + 2 * 16)
        let header = try String(contentsOf: report, encoding: .utf8).prefix { $0 != "\n" }
        XCTAssertEqual(header, "name,url,status,error,detail,file,bytes,milliseconds,file_thumb,file_large")
    }

    func testAVariantIsAsARunWithItsOptionsMakesIt() throws {
        server.serve(try Self.image(.jpeg, width: 640, height: 400), at: "/photo.jpg")
        let catalog = try catalog([("photo", server.url("/photo.jpg").absoluteString)])
        // The second and the third share a size, and the fourth the beginning of the third's filter.
        let wanted: [(name: String, size: String, filter: String, format: String)] = [
            ("thumb", "120x90", "none", "webp"), ("plain", "300", "none", "jpeg"),
            ("soft", "300", "blur(2px) sepia(60%)", "jpeg"), ("softer", "300", "blur(2px) invert(1)", "png"),
        ]
        let words = wanted.flatMap { ["--variant", "\($0.name):\($0.size):\($0.filter):\($0.format)"] }
        let trace = folder.appending(path: "trace.json")
        let together = try develop(catalog, words + ["--trace", trace.path])
        XCTAssertEqual(together.status, 0, together.run.error)
        let results = try results()
        let row = try XCTUnwrap(together.rows.first)
        for (place, variant) in wanted.enumerated() {
            let alone = folder.appending(path: variant.name)
            let run = try ProgramRun([
                "develop", catalog, "-o", alone.path, "--size", variant.size, "--filter", variant.filter, "--format",
                variant.format,
            ])
            XCTAssertEqual(run.wait(), 0, run.error)
            let name = try XCTUnwrap(row[8 + place].split(separator: "/").last)
            XCTAssertEqual(
                try Data(contentsOf: alone.appending(path: String(name))), results[row[8 + place]], variant.name)
        }
        let text = try String(contentsOf: trace, encoding: .utf8)
        func count(_ queue: String) -> Int { text.components(separatedBy: "\"queue\":\"\(queue) queue\"").count - 1 }
        // The blur once for both.
        XCTAssertEqual(["Download", "Decode", "Image Filtration", "Write"].map(count), [1, 2, 3, 4], text)
    }

    func testADataSetHasAMemberPerVariantAndTellsOfEach() throws {
        server.serve(try Self.image(.jpeg, width: 640, height: 400), at: "/photo.jpg")
        let catalog = try catalog([
            ("photo", server.url("/photo.jpg").absoluteString), ("gone", server.url("/status/404").absoluteString),
            ("again", server.url("/photo.jpg").absoluteString),
        ])
        let (status, rows, run) = try develop(catalog, variants + layout)
        XCTAssertEqual(status, 1, run.error)
        XCTAssertEqual(requests("/photo.jpg"), 1)
        let members = try members()
        XCTAssertEqual(
            members.keys.sorted(),
            ["00001", "00003"].flatMap { ["\($0).json", "\($0).large.webp", "\($0).thumb.jpg"] })
        XCTAssertEqual(members["00001.large.webp"], members["00003.large.webp"])
        XCTAssertEqual(rows[2][8...].map { $0 }, ["00000.tar/00003.thumb.jpg", "00000.tar/00003.large.webp"])
        let told = try object(try XCTUnwrap(members["00003.json"]))
        XCTAssertEqual([told["original_width"], told["original_height"]] as? [Int], [640, 400])
        XCTAssertNil(told["sha256"])
        let lines = try Data(contentsOf: output.appending(path: "index.jsonl")).split(separator: UInt8(ascii: "\n"))
        let index = try lines.map { try object(Data($0)) }
        XCTAssertEqual(index.map { $0["status"] as? String }, ["filtered", "failed", "filtered"])
        XCTAssert(index[1]["files"] is NSNull)
        let tar = try Data(contentsOf: output.appending(path: "00000.tar"))
        for (name, ending, size) in [("thumb", "jpg", [64, 40]), ("large", "webp", [200, 125])] {
            let picture = try XCTUnwrap(members["00003.\(name).\(ending)"])
            for (source, hasOffset) in [(told, false), (index[2], true)] {
                let variant = try XCTUnwrap((source["variants"] as? [String: [String: Any]])?[name])
                XCTAssertEqual([variant["width"], variant["height"]] as? [Int], size)
                XCTAssertEqual(variant["size"] as? Int, picture.count)
                XCTAssertEqual(variant["sha256"] as? String, try Self.sha256(picture))
                let offset = variant["offset"] as? Int
                XCTAssertEqual(offset != nil, hasOffset)
                if let offset { XCTAssertEqual(tar.dropFirst(offset).prefix(picture.count), picture) }
            }
        }
    }

    // MARK: All or none

    func testAPhotoOfWhichOneVariantCannotBeMadeFailsAsAWholeAndLeavesNothing() throws {
        let wide = try serveWidePhoto()
        let catalog = try catalog([
            ("wide", wide), ("a", server.url("/a.jpg").absoluteString), ("wide again", wide),
        ])
        let orders = [["small:64::", "wide:17000::webp"], ["wide:17000::webp", "small:64::"]]
        for (order, further) in orders.flatMap({ order in [(order, []), (order, layout)] }) {
            let options = order.flatMap { ["--variant", $0] } + further + ["--fresh"]
            let (status, rows, run) = try develop(catalog, options)
            XCTAssertEqual(status, 1, run.error)
            XCTAssertEqual(rows.map { $0[2] }, ["failed", "filtered", "failed"], "\(options)")
            XCTAssertEqual(rows[0][3], rows[2][3])
            XCTAssertEqual(rows[0][5...].filter { $0.hasSuffix(".jpg") || $0.hasSuffix(".webp") }, [])
            if further.isEmpty {
                XCTAssertEqual(try results().count, 2)
                try FileManager.default.removeItem(at: output)
            } else {
                XCTAssertEqual(
                    try members().keys.sorted(), ["00002.json", "00002.small.jpg", "00002.wide.webp"])
                try FileManager.default.removeItem(at: output)
            }
        }
        // One each time, also where two rows are told of a failure.
        XCTAssertEqual(requests("/wide.png"), orders.count * 2)
    }

    /// The limit on a file's size stands for a disk that is full when the second variant of a photo is written.
    func testADiskThatIsFullAtTheSecondVariantLeavesNoHalfRow() throws {
        server.serve(try Self.image(.png, width: 640, height: 640), at: "/large.png")
        let catalog = try catalog((0..<8).map { ("\($0)", server.url("/large.png?\($0)").absoluteString) })
        let options = ["--filter", "none", "--variant", "thumb:64::", "--variant", "large:640::png"]
        for further in [[], layout] {
            let run = try ProgramRun(
                ["develop", catalog, "-o", output.path, "--report", report.path, "--jobs", "2"] + options + further,
                limits: "ulimit -f 200")
            XCTAssertEqual(run.wait(), 4, run.error)
            XCTAssertFalse(try rows().contains { $0[2] == "filtered" })
            XCTAssertEqual(try results().keys.filter { $0 != "index.jsonl" }, [])
            let (status, rows, last) = try develop(catalog, options + further)
            XCTAssertEqual(status, 0, last.error)
            XCTAssertEqual(rows.map { $0[2] }, Array(repeating: "filtered", count: 8))
            if further.isEmpty {
                XCTAssertEqual(try results().count, 16)
            } else {
                XCTAssertEqual(try members().count, 24)
            }
            try FileManager.default.removeItem(at: output)
        }
    }

    func testAPhotoIsDoneOnlyWhileAllItsFilesAreThere() throws {
        let catalog = try catalog([
            ("a", server.url("/a.jpg").absoluteString), ("b", server.url("/b.png").absoluteString),
        ])
        let (_, rows, _) = try develop(catalog, variants)
        let before = try results()
        try FileManager.default.removeItem(at: output.appending(path: rows[1][9]))
        let again = try develop(catalog, variants)
        XCTAssertEqual(again.status, 0, again.run.error)
        XCTAssertEqual([requests("/a.jpg"), requests("/b.png")], [1, 2])
        XCTAssertEqual(try results(), before)
    }

    func testATransferThatFailsForATimeIsTriedAgainOnceForAllVariants() throws {
        let image = try Self.image(.jpeg)
        server.serve(FaultScript(image, [.status(503), .cut(after: 900), .answer]), at: "/late.jpg")
        let catalog = try catalog([("late", server.url("/late.jpg").absoluteString)])
        let (status, rows, run) = try develop(catalog, variants + ["--cache", "off"])
        XCTAssertEqual(status, 0, run.error)
        XCTAssertEqual(requests("/late.jpg"), 3)
        XCTAssertEqual(try results().count, 2)
        XCTAssertGreaterThanOrEqual(Int(rows[0][6]) ?? 0, image.count)
        XCTAssertLessThan(Int(rows[0][6]) ?? 0, image.count + 2_000)
    }

    // MARK: Going on

    func testTheVariantsAreThoseOfTheFolder() throws {
        let catalog = try catalog([("a", server.url("/a.jpg").absoluteString)])
        XCTAssertEqual(try develop(catalog, variants).status, 0)
        let before = try results()
        for (options, words) in [
            (["--filter", "none", "--variant", "thumb:64::"], ["--variant was thumb, large, and is thumb"]),
            (["--filter", "none"], ["--variant was thumb, large, and is none"]),
            (
                ["--filter", "none", "--variant", "large:200:grayscale(1):webp", "--variant", "thumb:64::"],
                ["--variant was thumb, large, and is large, thumb"]
            ),
            (
                ["--variant", "thumb:64:none:", "--variant", "large:201:grayscale(1):webp"],
                ["--size of variant large was 200, and is 201 now"]
            ),
            (variants + ["--quality", "70"], ["--quality of variant thumb was 85, and is 70"]),
        ] {
            let (status, _, run) = try develop(catalog, options)
            XCTAssertEqual(status, 2, run.error)
            for word in words + ["--fresh"] { XCTAssert(run.error.contains(word), run.error) }
        }
        XCTAssertEqual(try results(), before)
        let refused = try develop(catalog, ["--variant", "small:10::"])
        XCTAssertEqual(refused.status, 2, refused.run.error)
        XCTAssertEqual(try files(), ["large", "thumb"])
        // The same ones, said in another way.
        let same = try develop(
            catalog,
            ["--size", "64", "--format", "webp", "--filter", "grayscale(1)"]
                + ["--variant", "thumb::none:jpeg", "--variant", "large:200::"])
        XCTAssertEqual(same.status, 0, same.run.error)
        XCTAssertEqual(requests("/a.jpg"), 1)
        let plain = folder.appending(path: "plain")
        XCTAssertEqual(try ProgramRun(["develop", catalog, "-o", plain.path]).wait(), 0)
        let run = try ProgramRun(["develop", catalog, "-o", plain.path] + variants)
        XCTAssertEqual(run.wait(), 2, run.error)
        XCTAssert(run.error.contains("--variant was none, and is thumb, large"), run.error)
    }

    func testFailuresAreTriedAgainAsAWhole() throws {
        for (path, further) in [("/late.jpg", []), ("/later.jpg", layout)] {
            let catalog = try catalog([
                ("late", server.url(path).absoluteString), ("a", server.url("/a.jpg").absoluteString),
            ])
            XCTAssertEqual(try develop(catalog, variants + further).status, 1)
            server.serve(try Self.image(.jpeg), at: path)
            XCTAssertEqual(try develop(catalog, variants + further).status, 1)
            let (status, rows, run) = try develop(catalog, variants + further + ["--only-failed=http"])
            XCTAssertEqual(status, 0, run.error)
            XCTAssertEqual(rows.map { $0[2] }, ["filtered", "filtered"])
            if further.isEmpty {
                XCTAssertEqual(try results().count, 4)
            } else {
                XCTAssertEqual(try members().count, 6)
            }
            try FileManager.default.removeItem(at: output)
        }
    }

    func testFilesThatAreThereAreLeftAloneWhereAllVariantsAre() throws {
        let paths = (0..<3).map { "/photos/\($0).jpg" }
        for path in paths { server.serve(try Self.image(.jpeg), at: path) }
        let catalog = try catalog(paths.map { ($0, server.url($0).absoluteString) })
        let (_, written, _) = try develop(catalog, variants)
        let before = try results()
        try FileManager.default.removeItem(at: journal)
        try FileManager.default.removeItem(at: output.appending(path: written[1][8]))
        try Data().write(to: output.appending(path: written[2][9]))
        let (status, _, run) = try develop(catalog, variants + ["--skip-existing"])
        XCTAssertEqual(status, 0, run.error)
        XCTAssertEqual(paths.map(requests), [1, 2, 2])
        XCTAssert(run.output.contains("1 was there"), run.output)
        XCTAssertEqual(try results(), before)
    }

    func testRowsOfOneAddressHaveLinksOfEveryVariant() throws {
        let rows = (0..<40).map { ("\($0)", server.url("/a.jpg").absoluteString) }
        let (status, report, run) = try develop(try catalog(rows), variants)
        XCTAssertEqual(status, 0, run.error)
        XCTAssertEqual(requests("/a.jpg"), 1)
        let results = try results()
        XCTAssertEqual(results.count, 80)
        for column in [8, 9] {
            let bytes = try XCTUnwrap(results[report[0][column]])
            for row in report { XCTAssertEqual(results[row[column]], bytes) }
            let numbers = try report.map { row in
                let path = output.appending(path: row[column]).path
                return try FileManager.default.attributesOfItem(atPath: path)[.systemFileNumber] as? Int
            }
            XCTAssertEqual(Set(numbers).count, 1, "they are no links")
        }
    }

    func testADryRunNamesAllFilesAndTouchesNothing() throws {
        let catalog = try catalog([("a", server.url("/a.jpg").absoluteString)])
        let run = try ProgramRun(["develop", catalog, "-o", output.path, "--dry-run"] + variants)
        XCTAssertEqual(run.wait(), 0, run.error)
        let files = try XCTUnwrap(run.output.split(separator: "\n").first).components(separatedBy: " -> ")[1]
            .components(separatedBy: ", ")
        XCTAssertFalse(FileManager.default.fileExists(atPath: output.path))
        XCTAssertEqual(try develop(catalog, variants).status, 0)
        XCTAssertEqual(try results().keys.map { output.path + "/" + $0 }.sorted(), files.sorted())
        let again = try ProgramRun(["develop", catalog, "-o", output.path, "--dry-run"] + variants)
        XCTAssertEqual(again.wait(), 0, again.error)
        XCTAssert(again.output.contains("are there already"), again.output)
    }

    func testBoundsAreForThePhotoAsItWasPublished() throws {
        server.serve(try Self.image(.jpeg, width: 40, height: 40), at: "/small.jpg")
        let catalog = try catalog([
            ("small", server.url("/small.jpg").absoluteString), ("a", server.url("/a.jpg").absoluteString),
        ])
        let (status, rows, run) = try develop(catalog, variants + ["--min-size", "100"])
        XCTAssertEqual(status, 1, run.error)
        XCTAssertEqual(rows.map { $0[3] }, ["too-small", ""])
        XCTAssertEqual(try results().count, 2)
    }

    func testResultsInsideTheCatalogsFolderAreLeftOut() throws {
        let photos = folder.appending(path: "photos/inner")
        try FileManager.default.createDirectory(at: photos, withIntermediateDirectories: true)
        try Self.image(.jpeg).write(to: photos.appending(path: "one.jpg"))
        try Self.image(.jpeg).write(to: photos.deletingLastPathComponent().appending(path: "two.jpg"))
        let root = photos.deletingLastPathComponent().path
        for _ in 0..<2 {
            let run = try ProgramRun(["develop", root, "-o", root, "--recursive"] + variants)
            XCTAssertEqual(run.wait(), 0, run.error)
            XCTAssert(run.output.contains("2 of 2 photos"), run.output)
        }
        // The output of another run, which is inside.
        let inner = try ProgramRun(["develop", root, "-o", root + "/out", "--recursive"] + variants + ["--quiet"])
        XCTAssertEqual(inner.wait(), 0, inner.error)
        let third = try ProgramRun(["develop", root + "/..", "-o", output.path, "--recursive", "--filter", "none"])
        XCTAssertEqual(third.wait(), 0, third.error)
        XCTAssert(third.output.contains("2 of 2 photos"), third.output)
    }

    // MARK: Reports

    func testReportsTellOfAllVariants() throws {
        let catalog = try catalog([
            ("a", server.url("/a.jpg").absoluteString), ("gone", server.url("/status/404").absoluteString),
        ])
        XCTAssertEqual(try develop(catalog, variants).status, 1)
        let csv = try ProgramRun(["report", output.path])
        XCTAssertEqual(csv.wait(), 0)
        XCTAssertEqual(csv.output, try String(contentsOf: report, encoding: .utf8))
        let json = try ProgramRun(["report", output.path, "--format", "json"])
        XCTAssertEqual(json.wait(), 0)
        let objects = try json.output.split(separator: "\n").map { try object(Data($0.utf8)) }
        let files = try XCTUnwrap(objects[0]["files"] as? [String: String])
        XCTAssertEqual(Set(files.keys), ["thumb", "large"])
        XCTAssertEqual(files["thumb"], objects[0]["file"] as? String)
        XCTAssertEqual(try results().keys.sorted(), files.values.sorted())
        XCTAssert(objects[1]["files"] is NSNull)
        let page = try ProgramRun(["report", output.path, "--format", "html"])
        XCTAssertEqual(page.wait(), 0)
        for text in ["size of variant large", #""variants":["thumb","large"]"#] + files.values {
            XCTAssert(page.output.contains(text), text)
        }
    }
}
