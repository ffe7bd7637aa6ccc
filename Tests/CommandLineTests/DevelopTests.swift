import Foundation
import ImageCodecs
import Pixels
import TestServers
import XCTest

/// What `develop` makes of good catalogs.
final class DevelopTests: DevelopTestCase {
    func testPicturesAreDevelopedInTheClassicLook() throws {
        let catalog = try catalog([
            ("Sunset", server.url("/a.jpg").absoluteString), ("Lake", server.url("/b.png").absoluteString),
        ])
        let (status, rows, run) = try develop(catalog, ["--format", "png"])
        XCTAssertEqual(status, 0, run.error)
        XCTAssertEqual(rows.map { $0[2] }, ["filtered", "filtered"])
        XCTAssertEqual(try files(), rows.map { $0[5] }.sorted())
        XCTAssert(run.output.contains("2 of 2 photos written"), run.output)

        let made = try ImageDecoder.decode(
            Data(contentsOf: output.appending(path: rows[1][5])), longestSide: nil)
        var expected = try ImageDecoder.decode(Self.image(.png), longestSide: nil)
        FilterChain.classic.apply(to: &expected)
        XCTAssertEqual(made.withUnsafeBytes(Array.init), expected.withUnsafeBytes(Array.init))
    }

    func testSizeFormatAndFilterAreAsAskedFor() throws {
        let catalog = try catalog([("a", server.url("/a.jpg").absoluteString)])
        for (format, ending) in [("webp", "webp"), ("avif", "avif"), ("jpeg", "jpg")] {
            let (status, rows, run) = try develop(
                catalog,
                ["--format", format, "--size", "100", "--filter", "grayscale(1)", "--quality", "90", "--fresh"])
            XCTAssertEqual(status, 0, run.error)
            XCTAssert(rows[0][5].hasSuffix("." + ending))
            let made = try ImageDecoder.decode(
                Data(contentsOf: output.appending(path: rows[0][5])), longestSide: nil)
            XCTAssertEqual(made.size, PixelSize(width: 100, height: 63))
            made.withUnsafeBytes { bytes in
                for pixel in stride(from: 0, to: bytes.count, by: 4) {
                    XCTAssertLessThanOrEqual(abs(Int(bytes[pixel]) - Int(bytes[pixel + 2])), 3)
                }
            }
        }
    }

    func testASmallPictureIsNotEnlarged() throws {
        let catalog = try catalog([("a", server.url("/a.jpg").absoluteString)])
        let (_, rows, _) = try develop(catalog, ["--size", "5000"])
        let made = try ImageDecoder.probe(Data(contentsOf: output.appending(path: rows[0][5])))
        XCTAssertEqual(made.size, PixelSize(width: 320, height: 200))
    }

    func testTheReportSaysWhatCameAndHowLongItTook() throws {
        let catalog = try catalog([("a", server.url("/a.jpg").absoluteString)])
        let (_, rows, _) = try develop(catalog)
        XCTAssertEqual(Int(rows[0][6]), try Self.image(.jpeg).count)
        XCTAssertGreaterThanOrEqual(try XCTUnwrap(Int(rows[0][7])), 0)
        XCTAssert(
            try String(contentsOf: report, encoding: .utf8)
                .hasPrefix("name,url,status,error,detail,file,bytes,milliseconds\n"))
    }

    func testNamesThatAreNoFileNamesAndEqualNamesGetSafeDistinctFiles() throws {
        let names = [
            "a/b", "../../up", "..", "", "-rf", ".hidden", "line\nbreak", String(repeating: "장", count: 400), "same",
            "same",
        ]
        let rows = names.enumerated().map { ($1, server.url("/a.jpg").absoluteString + "?\($0)") }
        let (status, _, run) = try develop(try catalog(rows))
        XCTAssertEqual(status, 0, run.error)
        XCTAssertEqual(try files().count, names.count)
        XCTAssertEqual(
            try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted(),
            ["catalog.json", "pictures", "report.csv"])
    }

    func testAnEmptyCatalogIsASuccess() throws {
        let (status, rows, run) = try develop(try catalog([]))
        XCTAssertEqual(status, 0, run.error)
        XCTAssertEqual(rows, [])
    }

    func testACatalogOnStandardInput() throws {
        let run = try ProgramRun(
            ["develop", "-", "--output", output.path], input: Data((server.url("/a.jpg").absoluteString + "\n").utf8))
        XCTAssertEqual(run.wait(), 0, run.error)
        XCTAssertEqual(try files().count, 1)
    }

    func testACatalogFromAServerResolvesRelativeAddressesAndMayNotNameLocalFiles() throws {
        let local = folder.appending(path: "local.jpg")
        try Self.image(.jpeg).write(to: local)
        server.serve(Data("name,url\nnear,a.jpg\nlocal,\(local.absoluteString)\n".utf8), at: "/photos/catalog")
        server.serve(try Self.image(.jpeg), at: "/photos/a.jpg")
        let (status, rows, run) = try develop(server.url("/photos/catalog").absoluteString)
        XCTAssertEqual(status, 1, run.error)
        XCTAssertEqual(rows.map { $0[2] }, ["filtered", "failed"])
        XCTAssertEqual(rows[1][3], "forbidden-address")
    }

    func testACatalogFromAServerNamesNoOtherMachinesOfTheNetworkUnlessAllowed() throws {
        let other = "http://localhost:\(server.port)/a.jpg"
        let rows = "name,url\nown,\(server.url("/a.jpg"))\nother,\(other)\nmetadata,http://169.254.169.254/a.jpg\n"
        server.serve(Data(rows.utf8), at: "/catalog")
        let address = server.url("/catalog").absoluteString
        let (status, guarded, run) = try develop(address)
        XCTAssertEqual(status, 1, run.error)
        XCTAssertEqual(guarded.map { $0[3] }, ["", "forbidden-address", "forbidden-address"])
        XCTAssert(guarded[1][4].contains("loopback"), guarded[1][4])
        let (_, opened, _) = try develop(address, ["--allow-private", "--only-failed"])
        XCTAssertEqual(opened.map { $0[3] }, ["", "", "forbidden-address"])
    }

    func testALocalCatalogMayNameLocalFiles() throws {
        let local = folder.appending(path: "local picture.jpg")
        try Self.image(.jpeg).write(to: local)
        let (status, rows, run) = try develop(
            try catalog([("by address", local.absoluteString), ("by path", "local picture.jpg"), ("gone", "gone.jpg")]))
        XCTAssertEqual(status, 1, run.error)
        XCTAssertEqual(rows.map { $0[3] }, ["", "", "not-found"])
    }

    func testAFolderIsACatalog() throws {
        let images = folder.appending(path: "mine")
        try FileManager.default.createDirectory(at: images, withIntermediateDirectories: true)
        try Self.image(.jpeg).write(to: images.appending(path: "one.jpg"))
        try Self.image(.png).write(to: images.appending(path: "two.png"))
        let (status, rows, run) = try develop(images.path)
        XCTAssertEqual(status, 0, run.error)
        XCTAssertEqual(rows.count, 2)
    }

    func testWhatIsThereAlreadyIsLeftAloneWhenAskedFor() throws {
        let catalog = try catalog([
            ("a", server.url("/a.jpg").absoluteString), ("b", server.url("/b.png").absoluteString),
        ])
        _ = try develop(catalog)
        XCTAssertEqual(server.requestCount(), 2)
        try FileManager.default.removeItem(at: output.appending(path: try rows()[1][5]))
        try FileManager.default.removeItem(at: journal)
        let (status, rows, run) = try develop(catalog, ["--skip-existing"])
        XCTAssertEqual(status, 0, run.error)
        XCTAssertEqual(server.requestCount(), 3)
        XCTAssertEqual(rows.map { $0[2] }, ["filtered", "filtered"])
        XCTAssert(run.output.contains("1 was there already"), run.output)
    }

    func testProgressForAProgram() throws {
        let catalog = try catalog([("a", server.url("/a.jpg").absoluteString), ("b", "ftp://h/b")])
        for quiet in [[], ["--quiet"]] {
            let run = try ProgramRun(["develop", catalog, "-o", output.path, "--fresh", "--progress", "json"] + quiet)
            XCTAssertEqual(run.wait(), 1, run.error)
            let lines = run.error.split(separator: "\n")
            let objects = try lines.map { try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Double] }
            XCTAssertEqual(objects.last??["filtered"], 1)
            XCTAssertEqual(objects.last??["failed"], 1)
            XCTAssertEqual(run.output.isEmpty, !quiet.isEmpty)
        }
        XCTAssertEqual(try ProgramRun(["develop", catalog, "-o", output.path, "--progress", "xml"]).wait(), 2)
    }

    func testProgressForAProgramComesEachSecond() throws {
        server.serve(try Self.image(.jpeg), at: Fault.gate.rawValue)
        let catalog = try catalog([("a", server.url(.gate).absoluteString)])
        let began = Date()
        let run = try ProgramRun(["develop", catalog, "-o", output.path, "--progress", "json"])
        func lines() -> Int { run.error.count { $0 == "\n" } }
        wait("four lines") { lines() >= 4 }
        // Three seconds at least lie between four of them.
        XCTAssertGreaterThan(Date().timeIntervalSince(began), 2.5)
        server.openGate()
        XCTAssertEqual(run.wait(), 0, run.error)
    }

    func testSomethingElseIsNotTakenForAPhotoThatIsThere() throws {
        let catalog = try catalog((0..<3).map { ("\($0)", server.url("/a.jpg?\($0)").absoluteString) })
        _ = try develop(catalog)
        let names = try rows().map { $0[5] }
        let whole = try Data(contentsOf: output.appending(path: names[2]))
        try Data().write(to: output.appending(path: names[0]))
        try Data("<!doctype html>".utf8).write(to: output.appending(path: names[1]))
        try FileManager.default.removeItem(at: journal)
        let (status, rows, run) = try develop(catalog, ["--skip-existing"])
        XCTAssertEqual(status, 0, run.error)
        XCTAssertEqual(rows.map { $0[5] }, names)
        XCTAssert(run.output.contains("1 was there already"), run.output)
        for name in names { XCTAssertEqual(try Data(contentsOf: output.appending(path: name)), whole) }
    }

    func testATraceHasEveryOperationOfEveryPhotoAndWhatItWaitedFor() throws {
        let file = folder.appending(path: "trace.json")
        let rows = (0..<12).map { ("photo \($0)", server.url("/a.jpg?\($0)").absoluteString) }
        let broken = [("page", server.url("/page.jpg").absoluteString)]
        let (status, _, run) = try develop(try catalog(rows + broken), ["--trace", file.path])
        XCTAssertEqual(status, 1, run.error)

        let object = try JSONSerialization.jsonObject(with: Data(contentsOf: file)) as? [String: Any]
        let events = try XCTUnwrap(object?["traceEvents"] as? [[String: Any]])
        let begins = events.filter { ["X", "b"].contains($0["ph"] as? String) }
        let names = begins.compactMap { $0["name"] as? String }
        let stages = ["Download", "Wait for memory", "Decode", "Filter", "Write"]
        let expected = (rows + broken).flatMap { row in stages.map { "\($0) \(row.0)" } }
        // What a download is about is told within its own.
        let phases = names.filter { !$0.contains(" ") }
        XCTAssertEqual(names.filter { $0.contains(" ") }.sorted(), expected.sorted())
        XCTAssertEqual(phases, Array(repeating: "transferring", count: 13))
        let arguments = begins.compactMap { $0["args"] as? [String: Any] }
        XCTAssertEqual(
            Set(arguments.compactMap { $0["queue"] as? String }),
            ["Download queue", "Memory queue", "Decode queue", "Image Filtration queue", "Write queue"])
        // Each operation but a photo's download waited for the one before it, unless that had ended before it was added.
        var (added, ended): ([String: Double], [String: Double]) = ([:], [:])
        for event in events {
            guard let name = event["name"] as? String, let time = event["ts"] as? Double else { continue }
            if let duration = event["dur"] as? Double { ended[name] = time + duration }
            if event["ph"] as? String == "e" { ended[name] = time }
            guard let arguments = event["args"] as? [String: Any] else { continue }
            let waits = ["waitedForDependencies", "waitedForPlace"].compactMap { arguments[$0] as? Double }
            added[name] = time - waits.reduce(0, +)
        }
        let waited = (rows + broken).map { row in
            zip(stages, stages.dropFirst()).count { ended["\($0) \(row.0)"] ?? 0 > added["\($1) \(row.0)"] ?? 0 }
        }
        XCTAssertEqual(events.count { $0["ph"] as? String == "f" }, waited.reduce(0, +))
    }

    func testAnInterruptedRunWritesItsTrace() throws {
        let file = folder.appending(path: "trace.json")
        let run = try ProgramRun([
            "develop", try catalog([("held", server.url(.gate).absoluteString)]), "--output", output.path,
            "--trace", file.path,
        ])
        XCTAssert(server.waitForRequests(Fault.gate.rawValue, seconds: 60))
        run.send(SIGINT)
        XCTAssertEqual(run.wait(), 130, run.error)
        XCTAssert(try String(contentsOf: file, encoding: .utf8).contains(#""outcome":"cancelled""#))
    }

    func testAContactSheetShowsResultsBesideTheirOriginals() throws {
        let sheet = folder.appending(path: "sheet.jpg")
        let (status, _, run) = try develop(
            try catalog([("a", server.url("/a.jpg").absoluteString), ("b", server.url("/b.png").absoluteString)]),
            ["--contact-sheet", sheet.path])
        XCTAssertEqual(status, 0, run.error)
        let drawn = try ImageDecoder.decode(Data(contentsOf: sheet), longestSide: nil)
        XCTAssertGreaterThan(drawn.size.width, 2 * 2 * 240)
    }
}
