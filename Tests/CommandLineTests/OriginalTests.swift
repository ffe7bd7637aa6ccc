import Foundation
import ImageCodecs
import TestServers
import XCTest

/// `develop --original`.
final class OriginalTests: DevelopTestCase {
    private func address(_ path: String) -> String { server.url(path).absoluteString }

    private func bytes(_ row: [String]) throws -> Data { try Data(contentsOf: output.appending(path: row[5])) }

    func testPhotosAreWrittenAsTheyCameAndEndAsWhatTheyAre() throws {
        let (png, webp) = (try Self.image(.png), try Self.image(.webp))
        server.serve(png, at: "/wrong.jpg")
        server.serve(webp, at: "/none")
        let catalog = try catalog([
            ("a", address("/a.jpg")), ("wrong", address("/wrong.jpg")), ("none", address("/none")),
            ("cut", address("/cut.jpg")), ("page", address("/page.jpg")), ("again", address("/wrong.jpg")),
        ])
        let (status, rows, run) = try develop(catalog, ["--original"])
        XCTAssertEqual(status, 1, run.error)
        XCTAssertEqual(rows.map { $0[3] }, ["", "", "", "damaged-image", "not-an-image", ""])
        XCTAssertEqual(try bytes(rows[0]), try Self.image(.jpeg))
        for index in [1, 5] { XCTAssertEqual(try bytes(rows[index]), png) }
        XCTAssertEqual(try bytes(rows[2]), webp)
        XCTAssertEqual(
            rows.map { $0[5].split(separator: ".").last ?? "" }, ["jpg", "png", "webp", "", "", "png"])
        XCTAssertEqual(try files().count, 4)
    }

    func testARunGoesOnWithWhatIsNotThere() throws {
        server.serve(try Self.image(.png), at: "/wrong.jpg")
        let catalog = try catalog([
            ("first", address("/wrong.jpg")), ("second", address("/wrong.jpg")), ("a", address("/a.jpg")),
        ])
        let (status, rows, run) = try develop(catalog, ["--original"])
        XCTAssertEqual(status, 0, run.error)
        let gone = output.appending(path: rows[1][5])
        try FileManager.default.removeItem(at: gone)
        let dry = try ProgramRun(["develop", catalog, "-o", output.path, "--original", "--dry-run"])
        XCTAssertEqual(dry.wait(), 0, dry.error)
        XCTAssert(dry.output.contains(".png is there already"), dry.output)
        let (again, second, last) = try develop(catalog, ["--original"])
        XCTAssertEqual(again, 0, last.error)
        XCTAssertEqual(second.map { $0[5] }, rows.map { $0[5] })
        XCTAssertEqual(try Data(contentsOf: gone), try Self.image(.png))
        XCTAssertEqual(server.requestCount(), 2)
    }

    func testShardsHaveThemToo() throws {
        let catalog = try catalog([("b", address("/b.png")), ("a", address("/a.jpg")), ("b again", address("/b.png"))])
        let options = ["--original", "--layout", "webdataset"]
        let (status, rows, run) = try develop(catalog, options)
        XCTAssertEqual(status, 0, run.error)
        XCTAssertEqual(rows.map { $0[5] }, ["1.png", "2.jpg", "3.png"].map { "00000.tar/0000" + $0 })
        let tar = TarListing(try Data(contentsOf: output.appending(path: "00000.tar")))
        let members = Dictionary(uniqueKeysWithValues: tar.members.map { ($0.name, $0.bytes) })
        XCTAssertEqual(members["00001.png"], try Self.image(.png))
        XCTAssertEqual(members["00003.png"], try Self.image(.png))
        XCTAssertEqual(members["00002.jpg"], try Self.image(.jpeg))
        let json = try XCTUnwrap(members["00001.json"])
        let object = try XCTUnwrap(JSONSerialization.jsonObject(with: json) as? [String: Any])
        XCTAssertEqual([object["width"], object["height"], object["original_width"]] as? [Int], [320, 200, 320])
    }

    func testHowToMakePicturesIsNotSaidBesideIt() throws {
        for options in [
            ["--filter", "none"], ["--look", "moon"], ["--intensity", "50%"], ["--size", "32"],
            ["--size", "3x3", "--resize", "fit"],
            ["--format", "jpeg"], ["--quality", "85"], ["--progressive"], ["--metadata", "keep"], ["--skip-existing"],
        ] {
            let run = try ProgramRun(["develop", "none.csv", "-o", output.path, "--original"] + options)
            XCTAssertEqual(run.wait(), 2, "\(options): \(run.error)")
            XCTAssert(run.error.contains("--original") && run.error.contains(options[0]), "\(options): \(run.error)")
        }
        let catalog = try catalog([("a", address("/a.jpg"))])
        XCTAssertEqual(try develop(catalog).status, 0)
        let (status, _, run) = try develop(catalog, ["--original"])
        XCTAssertEqual(status, 2)
        XCTAssert(run.error.contains("--original was no, and is yes"), run.error)
    }
}
