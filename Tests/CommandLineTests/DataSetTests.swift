import Foundation
import Glibc
import ImageCodecs
import Pixels
import TestServers
import XCTest

/// `develop --layout webdataset`.
final class DataSetTests: DevelopTestCase {
    private let layout = ["--layout", "webdataset"]

    private func shard(_ name: String) throws -> TarListing {
        TarListing(try Data(contentsOf: output.appending(path: name)))
    }

    /// The bytes of all members by their names.
    private func members() throws -> [String: Data] {
        var members: [String: Data] = [:]
        for name in try files() where name.hasSuffix(".tar") {
            let shard = try shard(name)
            XCTAssert(shard.isWhole, name)
            for member in shard.members {
                XCTAssertNil(members.updateValue(member.bytes, forKey: member.name), member.name)
            }
        }
        return members
    }

    private func object(_ json: Data) throws -> [String: Any] {
        try XCTUnwrap(JSONSerialization.jsonObject(with: json) as? [String: Any])
    }

    private func index() throws -> [[String: Any]] {
        try Data(contentsOf: output.appending(path: "index.jsonl")).split(separator: UInt8(ascii: "\n")).map {
            try object(Data($0))
        }
    }

    /// Where all photos of a shard failed there is a table and no tar file, and another run may have no shard of that number.
    func testAFreshRunLeavesNoTableOfTheOneBefore() throws {
        let catalog = try catalog(
            [("a", server.url("/a.jpg").absoluteString)]
                + (0..<3).map { ("gone \($0)", server.url("/status/404?\($0)").absoluteString) })
        XCTAssertEqual(try develop(catalog, layout + ["--rows-per-shard", "1"]).status, 1)
        XCTAssertEqual(try files().filter { $0.hasSuffix(".parquet") }.count, 4)
        // Somebody else's.
        let other = output.appending(path: "00007.parquet")
        try Data("other".utf8).write(to: other)
        XCTAssertEqual(try develop(catalog, layout + ["--rows-per-shard", "10", "--fresh"]).status, 1)
        XCTAssertEqual(try files(), ["00000.parquet", "00000.tar", "00007.parquet", "index.jsonl"])
    }

    func testShardsHaveThePicturesAndWhatIsKnownOfThem() throws {
        server.serve(try Self.image(.jpeg, width: 640, height: 400), at: "/moved.jpg")
        let catalog = try catalog([
            ("a", server.url("/a.jpg").absoluteString), ("gone", server.url("/status/404").absoluteString),
            ("b", server.url("/b.png").absoluteString), ("a again", server.url("/a.jpg").absoluteString),
            ("cut", server.url("/cut.jpg").absoluteString),
            ("moved", server.url("/redirect-to?/moved.jpg").absoluteString),
        ])
        let (status, rows, run) = try develop(catalog, layout + ["--rows-per-shard", "4", "--size", "160"])
        XCTAssertEqual(status, 1, run.error)
        XCTAssertEqual(try files(), ["00000.parquet", "00000.tar", "00001.parquet", "00001.tar", "index.jsonl"])
        let members = try members()
        XCTAssertEqual(
            members.keys.sorted(),
            ["00001", "00003", "00004", "00006"].flatMap { ["\($0).jpg", "\($0).json"] })
        XCTAssertEqual(Set(try shard("00001.tar").members.map(\.name)), ["00006.jpg", "00006.json"])
        XCTAssertEqual(members["00001.jpg"], members["00004.jpg"])
        XCTAssertEqual(
            rows.map { $0[5] },
            ["1", "", "3", "4", "", ""].map { $0.isEmpty ? "" : "00000.tar/0000\($0).jpg" }
                .dropLast() + ["00001.tar/00006.jpg"])
        let moved = try object(try XCTUnwrap(members["00006.json"]))
        XCTAssertEqual(moved["url"] as? String, server.url("/redirect-to?/moved.jpg").absoluteString)
        XCTAssertEqual(moved["final_url"] as? String, server.url("/moved.jpg").absoluteString)
        XCTAssertEqual([moved["original_width"], moved["original_height"]] as? [Int], [640, 400])
        XCTAssertEqual([moved["width"], moved["height"]] as? [Int], [160, 100])
        let picture = try XCTUnwrap(members["00006.jpg"])
        XCTAssertEqual(try ImageDecoder.probe(picture).size.width, 160)
        XCTAssertEqual(moved["size"] as? Int, picture.count)
        XCTAssertEqual(moved["sha256"] as? String, try Self.sha256(picture))
        XCTAssertEqual(try object(try XCTUnwrap(members["00004.json"]))["name"] as? String, "a again")
        let index = try index()
        XCTAssertEqual(index.map { $0["key"] as? String }, (1...6).map { "0000\($0)" })
        XCTAssertEqual(index.map { $0["status"] as? String }, rows.map { $0[2] })
        let offset = try XCTUnwrap(index[5]["offset"] as? Int)
        let tar = try Data(contentsOf: output.appending(path: "00001.tar"))
        XCTAssertEqual(tar.dropFirst(offset).prefix(picture.count), picture)
        XCTAssertEqual(try ProgramRun(["report", output.path]).wait(), 0)
    }

    /// Services sign what they redirect to, in an object store, for whoever asks and for a while.
    func testWhatARedirectIsSignedWithIsWrittenNowhere() throws {
        let secret = "abcdef0123456789"
        for path in ["/signed", "/again"] {
            let location = "/a.jpg?X-Amz-Signature=\(secret)&X-Amz-Credential=\(secret)"
            server.serve(Data(), at: path, headers: ["Status": "302", "Location": location])
        }
        // What the catalog says is as public as the catalog.
        let own = server.url("/b.png?X-Amz-Signature=own").absoluteString
        let addresses = [server.url("/signed").absoluteString, own, server.url("/again").absoluteString]
        let catalog = try catalog(addresses.map { ("photo", $0) })
        let answered = server.url("/a.jpg").absoluteString
        // With `--dedupe content` the third has its address from where it arrives, and without it from where it is written.
        for option in [["--dedupe", "content"], ["--fresh"], ["--fresh", "--original"]] {
            let (status, _, run) = try develop(catalog, layout + option)
            XCTAssertEqual(status, 0, run.error)
            XCTAssertEqual(try index().map { $0["final_url"] as? String }, [answered, own, answered])
            let all = try XCTUnwrap(FileManager.default.enumerator(at: output, includingPropertiesForKeys: nil))
            var names: [String] = []
            for case let file as URL in all where !file.hasDirectoryPath {
                let bytes = try Data(contentsOf: file)
                XCTAssertNil(bytes.range(of: Data(secret.utf8)), file.path)
                if bytes.range(of: Data(answered.utf8)) != nil { names.append(file.lastPathComponent) }
            }
            // So it would be found there.
            XCTAssertEqual(names.sorted(), ["00000.parquet", "00000.tar", "index.jsonl", "run.db"])
        }
    }

    func testWhatTheCatalogSaysOfAPhotoIsInItsSample() throws {
        let table = folder.appending(path: "captions.csv")
        let text = """
            Caption,url,id
            "a ""fine"" photo, of sand",\(server.url("/a.jpg")),7
            none,\(server.url("/status/404")),8
            """
        try Data(text.utf8).write(to: table)
        XCTAssertEqual(try develop(table.path, layout).status, 1)
        let json = try XCTUnwrap(members()["00001.json"])
        let said = ["Caption": #"a "fine" photo, of sand"#, "url": server.url("/a.jpg").absoluteString, "id": "7"]
        XCTAssertEqual(try object(json)["catalog"] as? [String: String], said)
        XCTAssertEqual(try index().compactMap { ($0["catalog"] as? [String: String])?["id"] }, ["7", "8"])
        // Other captions are another catalog.
        try Data(text.replacing("fine", with: "good").utf8).write(to: table)
        let (status, _, run) = try develop(table.path, layout)
        XCTAssertEqual(status, 2, run.error)
        let lines = ["/b.png", "/a.jpg"].map {
            #"{"url": "\#(server.url($0))", "size": [1, 2], "text": "a\nb"}"# + "\n"
        }.joined()
        try Data(lines.utf8).write(to: table)
        XCTAssertEqual(try develop(table.path, layout + ["--fresh"]).status, 0)
        let second = try object(try XCTUnwrap(members()["00002.json"]))["catalog"] as? [String: Any]
        XCTAssertEqual(second?["size"] as? [Int], [1, 2])
        XCTAssertEqual(second?["text"] as? String, "a\nb")
    }

    func testEXIFIsToldOnRequestAndPlacesOnlyWhereThatIsSaid() throws {
        server.serve(try Self.withEXIF(try Self.image(.jpeg)), at: "/exif.jpg")
        let catalog = try catalog([
            ("a", server.url("/exif.jpg").absoluteString), ("none", server.url("/b.png").absoluteString),
            ("again", server.url("/exif.jpg").absoluteString), ("gone", server.url("/status/404").absoluteString),
        ])
        XCTAssertEqual(try develop(catalog, layout).status, 1)
        XCTAssertNil(try object(try XCTUnwrap(members()["00001.json"]))["exif"])
        let refused = try develop(catalog, layout + ["--exif"])
        XCTAssertEqual(refused.status, 2)
        XCTAssert(refused.run.error.contains("--exif was none, and is technical now"), refused.run.error)
        for (option, names) in [("--exif", ["Make"]), ("--exif=all", ["Artist", "GPSLatitude", "Make"])] {
            XCTAssertEqual(try develop(catalog, layout + [option, "--fresh"]).status, 1)
            let members = try members()
            for key in ["00001", "00003"] {
                let exif = try XCTUnwrap(object(try XCTUnwrap(members[key + ".json"]))["exif"] as? [String: Any])
                XCTAssertEqual(exif.keys.sorted(), names)
                XCTAssertEqual(exif["Make"] as? String, "ACM\u{E9}")
                if option == "--exif=all" { XCTAssertEqual(exif["GPSLatitude"] as? Double, -33.5) }
            }
            let none = try object(try XCTUnwrap(members["00002.json"]))["exif"] as? [String: Any]
            XCTAssertEqual(none?.count, 0)
            // The index is made of what the journal has.
            XCTAssertEqual(
                try index().map { ($0["exif"] as? [String: Any])?.count }, [names.count, 0, names.count, nil])
            // The pictures themselves tell nothing.
            XCTAssertNil(ImageMetadata(of: try XCTUnwrap(members["00001.jpg"])))
        }
        let wrong = try ProgramRun(["develop", "none.csv", "-o", output.path, "--exif"])
        XCTAssertEqual(wrong.wait(), 2)
        XCTAssert(wrong.error.contains("--layout webdataset"), wrong.error)
    }

    /// A JPEG that says by whom and where it was taken, partly in bytes that are not UTF-8.
    private static func withEXIF(_ jpeg: Data) throws -> Data {
        func big(_ number: Int, _ count: Int) -> [UInt8] {
            (0..<count).reversed().map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
        }
        func entry(_ tag: Int, _ type: Int, _ count: Int, _ value: [UInt8]) -> [UInt8] {
            big(tag, 2) + big(type, 2) + big(count, 4) + value
        }
        let main =
            big(3, 2) + entry(271, 2, 5, big(50, 4)) + entry(315, 2, 4, Array("Ann\0".utf8))
            + entry(34_853, 4, 1, big(60, 4))
            + big(0, 4)
        let place = big(2, 2) + entry(1, 2, 2, Array("S\0\0\0".utf8)) + entry(2, 5, 3, big(90, 4)) + big(0, 4)
        var block = Array("MM".utf8) + big(42, 2) + big(8, 4) + main
        block += Array("ACM".utf8) + [0xE9, 0] + [UInt8](repeating: 0, count: 60 - block.count - 5)
        block += place
        for number in [33, 1, 30, 1, 0, 1] { block += big(number, 4) }
        let segment = Array("Exif\0\0".utf8) + block
        var file = Data(jpeg.prefix(2))
        file += [0xFF, 0xE1] + big(segment.count + 2, 2) + segment
        file += jpeg.dropFirst(2)
        return file
    }

    /// Other readers take it, too.
    func testTarListsAndExtractsWhatWasWritten() throws {
        let catalog = try catalog([("a", server.url("/a.jpg").absoluteString)])
        XCTAssertEqual(try develop(catalog, layout).status, 0)
        let process = Process()
        process.executableURL = URL(filePath: "/bin/tar")
        process.arguments = ["-xf", output.appending(path: "00000.tar").path, "-C", folder.path]
        try process.run()
        process.waitUntilExit()
        XCTAssertEqual(process.terminationStatus, 0)
        XCTAssertEqual(
            try Data(contentsOf: folder.appending(path: "00001.jpg")), try shard("00000.tar").members[0].bytes)
    }

    func testFailuresAreTriedAgainAndAppended() throws {
        let catalog = try catalog([
            ("late", server.url("/late.jpg").absoluteString), ("a", server.url("/a.jpg").absoluteString),
        ])
        XCTAssertEqual(try develop(catalog, layout).status, 1)
        let before = try members()
        server.serve(try Self.image(.jpeg), at: "/late.jpg")
        XCTAssertEqual(try develop(catalog, layout).status, 1)
        XCTAssertEqual(try members(), before)
        XCTAssertEqual(try develop(catalog, layout + ["--only-failed=http"]).status, 0)
        XCTAssertEqual(
            try shard("00000.tar").members.map(\.name), ["00002.jpg", "00002.json", "00001.jpg", "00001.json"])
        XCTAssertEqual(try index().map { $0["status"] as? String }, ["filtered", "filtered"])
        XCTAssertEqual(server.requestCount("/a.jpg"), 1)
    }

    func testTheLayoutIsPartOfTheRecipe() throws {
        let catalog = try catalog([("a", server.url("/a.jpg").absoluteString)])
        XCTAssertEqual(try develop(catalog, layout).status, 0)
        for (options, words) in [
            ([], ["--layout", "webdataset", "files", "--fresh"]),
            (layout + ["--rows-per-shard", "7"], ["--rows-per-shard", "10000", "7"]),
        ] {
            let (status, _, run) = try develop(catalog, options)
            XCTAssertEqual(status, 2, run.error)
            for word in words { XCTAssert(run.error.contains(word), "\(word): \(run.error)") }
        }
        // Shards of before would be taken for some of this data set.
        let fresh = try develop(catalog, layout + ["--rows-per-shard", "7", "--fresh"])
        XCTAssertEqual(fresh.status, 0, fresh.run.error)
        XCTAssertEqual(try members().count, 2)
        try FileManager.default.removeItem(at: journal)
        let orphans = try develop(catalog, layout)
        XCTAssertEqual(orphans.status, 4, orphans.run.error)
        XCTAssert(orphans.run.error.contains("--fresh"), orphans.run.error)
        XCTAssertEqual(try members().count, 2)
    }

    func testWrongUsageIsToldBeforeAnythingIsDone() throws {
        for (options, word) in [
            (["--layout", "webdatset"], "did you mean webdataset"), (["--rows-per-shard", "5"], "--layout webdataset"),
            (layout + ["--rows-per-shard", "0"], "--rows-per-shard"), (layout + ["--skip-existing"], "--skip-existing"),
        ] {
            let run = try ProgramRun(["develop", "none.csv", "-o", output.path] + options)
            XCTAssertEqual(run.wait(), 2, run.error)
            XCTAssert(run.error.contains(word), run.error)
        }
    }

    func testADryRunNamesTheMembersAndTouchesNothing() throws {
        let catalog = try catalog([("a", server.url("/a.jpg").absoluteString)])
        let run = try ProgramRun(["develop", catalog, "-o", output.path, "--dry-run"] + layout)
        XCTAssertEqual(run.wait(), 0, run.error)
        XCTAssert(run.output.contains("/00000.tar/00001.jpg"), run.output)
        XCTAssertFalse(FileManager.default.fileExists(atPath: output.path))
        XCTAssertEqual(try develop(catalog, layout).status, 0)
        // What is behind the end of a shard stays, too.
        let tar = output.appending(path: "00000.tar")
        let longer = try Data(contentsOf: tar) + Data("x".utf8)
        try longer.write(to: tar)
        let again = try ProgramRun(["develop", catalog, "-o", output.path, "--dry-run"] + layout)
        XCTAssertEqual(again.wait(), 0, again.error)
        XCTAssertEqual(try Data(contentsOf: tar), longer)
    }

    /// The limit on a file's size stands for a disk that is full.
    func testWhatCannotBeWrittenStopsTheRunAndTheShardStaysWhole() throws {
        server.serve(try Self.image(.jpeg, width: 800, height: 600), at: "/large.jpg")
        let catalog = try catalog((0..<16).map { ("\($0)", server.url("/large.jpg").absoluteString + "?\($0)") })
        let options = layout + ["--format", "png"]
        let run = try ProgramRun(["develop", catalog, "-o", output.path] + options, limits: "ulimit -f 1600")
        XCTAssertEqual(run.wait(), 4, run.error)
        XCTAssert(run.error.contains("Cannot write \(output.path)/00000.tar"), run.error)
        let left = try members().count
        let (status, rows, last) = try develop(catalog, options)
        XCTAssertEqual(status, 0, last.error)
        XCTAssertEqual(rows.count, 16)
        XCTAssertEqual(try members().count, 32)
        XCTAssertLessThan(left, 32)
    }
}
