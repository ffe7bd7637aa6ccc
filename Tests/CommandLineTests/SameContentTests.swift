import Foundation
import ImageCodecs
import Pixels
import TestServers
import XCTest

/// `develop --dedupe content`: photos from several addresses that arrive with the same bytes.
final class SameContentTests: DevelopTestCase {
    private let dedupe = ["--dedupe", "content"]

    private func rows(_ count: Int, of path: String, as prefix: String) -> [(String, String)] {
        (0..<count).map { ("\(prefix) \($0)", server.url("\(path)?\(prefix)\($0)").absoluteString) }
    }

    /// How many operations of a queue came to their end, by a trace.
    private func operations(of queue: String, in trace: URL) throws -> Int {
        let mark = "\"outcome\":\"finished\",\"queue\":\"\(queue) queue\""
        return try String(contentsOf: trace, encoding: .utf8).components(separatedBy: mark).count - 1
    }

    /// How many files there are behind names in the output.
    private func distinctFiles(_ names: [String]) throws -> Int {
        let numbers = try names.map {
            try FileManager.default.attributesOfItem(atPath: output.appending(path: $0).path)[.systemFileNumber] as? Int
        }
        return Set(numbers).count
    }

    func testPhotosWithTheSameBytesAreFilteredOnceAndEachIsWritten() throws {
        let catalog = try catalog(
            rows(150, of: "/a.jpg", as: "first") + rows(1, of: "/b.png", as: "other")
                + rows(150, of: "/a.jpg", as: "second"))
        let (sheet, trace) = (folder.appending(path: "sheet.jpg"), folder.appending(path: "trace.json"))
        let (status, report, run) = try develop(
            catalog, dedupe + ["--contact-sheet", sheet.path, "--trace", trace.path, "--jobs", "4"])
        XCTAssertEqual(status, 0, run.error)
        // Each address is asked for, as nobody knows before what comes.
        XCTAssertEqual(server.requestCount(), 301)
        XCTAssertEqual(Set(report.map { $0[5] }).count, 301)
        XCTAssertEqual(try files(), report.map { $0[5] }.sorted())
        let whole = try Data(contentsOf: output.appending(path: report[0][5]))
        let size = try Self.image(.jpeg).count
        for row in report where row[0] != "other 0" {
            XCTAssertEqual(try Data(contentsOf: output.appending(path: row[5])), whole)
            XCTAssertEqual(Int(row[6]), size, "\(row)")
        }
        XCTAssert(run.output.contains("301 of 301 photos written"), run.output)
        XCTAssert(run.output.contains("299 arrived with the bytes of another"), run.output)
        // A photo of the first sixty is developed where the one with its bytes came first and is none of these.
        XCTAssertLessThanOrEqual(try distinctFiles(report.map { $0[5] }), 4)
        XCTAssertLessThan(try operations(of: "Image Filtration", in: trace), 50)
        XCTAssertEqual(try ImageDecoder.probe(Data(contentsOf: sheet)).size.height, 20 * 180 + 21 * 16)
        let page = folder.appending(path: "page.html")
        XCTAssertEqual(try ProgramRun(["report", output.path, "--format", "html", "-o", page.path]).wait(), 0)
        let pictures =
            try String(contentsOf: page, encoding: .utf8).components(separatedBy: "\"/9j/").count - 1
        XCTAssertEqual(pictures, 120)
    }

    func testWithoutTheOptionEachIsFiltered() throws {
        let trace = folder.appending(path: "trace.json")
        for words in [[], ["--dedupe", "address", "--fresh"]] {
            let run = try develop(try catalog(rows(9, of: "/a.jpg", as: "x")), words + ["--trace", trace.path])
            XCTAssertEqual(run.status, 0, run.run.error)
            XCTAssertEqual(try operations(of: "Image Filtration", in: trace), 9)
            XCTAssertFalse(run.run.output.contains("bytes of another"), run.run.output)
        }
        let wrong = try ProgramRun(["develop", "x.csv", "-o", output.path, "--dedupe", "contents"])
        XCTAssertEqual(wrong.wait(), 2)
        XCTAssert(wrong.error.contains("not contents; did you mean content?"), wrong.error)
    }

    func testAFailureIsThatOfEachPhoto() throws {
        let (status, report, run) = try develop(
            try catalog(rows(40, of: "/page.jpg", as: "page") + rows(40, of: "/cut.jpg", as: "cut")), dedupe)
        XCTAssertEqual(status, 1, run.error)
        XCTAssertEqual(report.count { $0[3] == "not-an-image" }, 40)
        XCTAssertEqual(report.count { $0[3] == "damaged-image" }, 40)
        for row in report { XCTAssertGreaterThan(Int(row[6]) ?? 0, 0) }
    }

    func testOriginalsKeepTheirEndingsAndVariantsAreShared() throws {
        let rows = rows(20, of: "/b.png", as: "png") + rows(20, of: "/a.jpg", as: "jpeg")
        let originals = try develop(try catalog(rows), dedupe + ["--original"])
        XCTAssertEqual(originals.status, 0, originals.run.error)
        let (png, jpeg) = (try Self.image(.png), try Self.image(.jpeg))
        for row in originals.rows {
            let isPNG = row[0].hasPrefix("png")
            XCTAssert(row[5].hasSuffix(isPNG ? ".png" : ".jpg"), row[5])
            XCTAssertEqual(try Data(contentsOf: output.appending(path: row[5])), isPNG ? png : jpeg)
        }
        let trace = folder.appending(path: "trace.json")
        let words = ["--variant", "a:40:none:webp", "--variant", "b:80:sepia(1):", "--fresh", "--trace", trace.path]
        let variants = try develop(try catalog(rows), dedupe + words)
        XCTAssertEqual(variants.status, 0, variants.run.error)
        for place in 8...9 {
            let results = try variants.rows.map { try Data(contentsOf: output.appending(path: $0[place])) }
            XCTAssertEqual(results.count, 40)
            XCTAssertEqual(Set(results).count, 2)
            XCTAssertEqual(try distinctFiles(variants.rows.map { $0[place] }), 2)
        }
        // One that is ready at the moment at which it is cancelled ends without work.
        XCTAssertLessThan(try operations(of: "Image Filtration", in: trace), 20)
    }

    func testADataSetTellsOfEachWhereItCameFrom() throws {
        let (status, report, run) = try develop(
            try catalog(rows(20, of: "/a.jpg", as: "x") + [("same", server.url("/a.jpg?x3").absoluteString)]),
            dedupe + ["--layout", "webdataset", "--rows-per-shard", "6", "--exif"])
        XCTAssertEqual(status, 0, run.error)
        XCTAssertEqual(server.requestCount(), 20)
        XCTAssertEqual(report.count { $0[2] == "filtered" }, 21)
        let lines = try String(contentsOf: output.appending(path: "index.jsonl"), encoding: .utf8).split(
            separator: "\n")
        let index = try lines.map {
            try XCTUnwrap(JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
        }
        XCTAssertEqual(index.count, 21)
        for entry in index { XCTAssertEqual(entry["final_url"] as? String, entry["url"] as? String) }
        XCTAssertEqual(Set(index.compactMap { $0["sha256"] as? String }).count, 1)
        XCTAssertEqual(Set(index.compactMap { $0["exif"] as? [String: String] }), [[:]])
        let files = try files().filter { $0.hasSuffix(".tar") }
        let members = try files.flatMap { try TarListing(Data(contentsOf: output.appending(path: $0))).members }
        XCTAssertEqual(Set(members.filter { $0.name.hasSuffix(".jpg") }.map(\.bytes)).count, 1)
        XCTAssertEqual(members.count, 42)
    }

    func testALaterRunKnowsWhatEarlierOnesBrought() throws {
        let catalog = try catalog(rows(5, of: "/b.png", as: "x") + [("late", server.url("/late.jpg").absoluteString)])
        let first = try develop(catalog, dedupe + ["--original"])
        XCTAssertEqual(first.status, 1, first.run.error)
        server.serve(try Self.image(.png), at: "/late.jpg")
        let second = try develop(catalog, dedupe + ["--original", "--only-failed"])
        XCTAssertEqual(second.status, 0, second.run.error)
        XCTAssert(second.run.output.contains("1 arrived with the bytes of another, whose picture it shares"))
        let late = output.appending(path: second.rows[5][5]).path
        let links = try FileManager.default.attributesOfItem(atPath: late)[.referenceCount]
        XCTAssertEqual(links as? Int, 6)
        XCTAssert(second.rows[5][5].hasSuffix(".png"))
    }

    /// What was remembered of a row is not true of the picture that it has now.
    func testARowThatHasBroughtOtherBytesMeanwhileIsNotShared() throws {
        let (jpeg, png) = (try Self.image(.jpeg), try Self.image(.png))
        // Made again without the option, and as the same photo as another one.
        for (number, options) in [[], dedupe].enumerated() {
            let paths = ["one", "other", "late"].map { "/\(number)/\($0)" }
            let catalog = try catalog(paths.map { ($0, server.url($0).absoluteString) })
            server.serve(jpeg, at: paths[0])
            server.serve(png, at: paths[1])
            XCTAssertEqual(try develop(catalog, dedupe + ["--original", "--fresh"]).status, 1)
            try FileManager.default.removeItem(at: output.appending(path: rows()[0][5]))
            server.serve(png, at: paths[0])
            XCTAssertEqual(try develop(catalog, options + ["--original"]).status, 1)
            server.serve(jpeg, at: paths[2])
            let last = try develop(catalog, dedupe + ["--original", "--only-failed"])
            XCTAssertEqual(last.status, 0, last.run.error)
            XCTAssertEqual(
                try last.rows.map { try Data(contentsOf: output.appending(path: $0[5])) }, [png, png, jpeg])
        }
    }

    /// What an earlier run wrote may be gone: then the photo is developed, and not given up.
    func testAPictureThatIsGoneIsMadeAgain() throws {
        let gate = server.url(Fault.gate.rawValue).absoluteString
        server.serve(try Self.image(.jpeg), at: "/first.jpg")
        let catalog = try catalog([("first", server.url("/first.jpg").absoluteString), ("held", gate)])
        let run = try ProgramRun(["develop", catalog, "-o", output.path, "--report", report.path] + dedupe)
        wait("the first picture") { ((try? files()) ?? []).contains { $0.hasSuffix(".jpg") } }
        try wait("the first picture is marked") {
            let count = try ProgramRun(["report", output.path])
            return count.wait() == 0 && count.output.contains("filtered")
        }
        for file in try files() where file.hasSuffix(".jpg") {
            try FileManager.default.removeItem(at: output.appending(path: file))
        }
        server.serve(try Self.image(.jpeg), at: Fault.gate.rawValue)
        server.openGate()
        XCTAssertEqual(run.wait(), 0, run.error)
        let held = try XCTUnwrap(try self.rows().last)
        XCTAssertEqual(held[2], "filtered")
        XCTAssertGreaterThan(try Data(contentsOf: output.appending(path: held[5])).count, 0)
    }

    func testInterruptedItGoesOnAndAllPicturesAreThere() throws {
        let catalog = try catalog(
            (0..<8).flatMap { self.rows(40, of: $0 % 2 == 0 ? "/a.jpg" : "/b.png", as: "\($0) ") })
        let words = ["develop", catalog, "--output", output.path, "--report", report.path, "--rate", "400"] + dedupe
        let first = try ProgramRun(words)
        wait("forty pictures") { ((try? files()) ?? []).count >= 40 }
        first.send(SIGINT)
        XCTAssertEqual(first.wait(), 130, first.error)
        let last = try ProgramRun(words)
        XCTAssertEqual(last.wait(), 0, last.error)
        let rows = try self.rows()
        XCTAssertEqual(rows.count { $0[2] == "filtered" }, 320)
        XCTAssertEqual(Set(try rows.map { try Data(contentsOf: output.appending(path: $0[5])) }).count, 2)
    }
}
