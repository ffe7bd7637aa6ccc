import Foundation
import ImageCodecs
import TestServers
import XCTest

/// `develop --isolate`.
final class IsolateTests: DevelopTestCase {
    func testFilterMakesTheSamePicture() throws {
        let input = folder.appending(path: "in.jpg")
        try Self.image(.jpeg).write(to: input)
        var made: [Data] = []
        for options in [[], ["--isolate"]] {
            let result = folder.appending(path: "out\(made.count).png")
            let run = try ProgramRun(["filter", input.path, result.path, "--look", "moon"] + options)
            XCTAssertEqual(run.wait(), 0, run.error)
            made.append(try Data(contentsOf: result))
        }
        XCTAssertEqual(made[0], made[1])
    }

    func testItMakesTheSamePictures() throws {
        let catalog = try catalog([
            ("a", server.url("/a.jpg").absoluteString), ("b", server.url("/b.png").absoluteString),
            ("cut", server.url("/cut.jpg").absoluteString), ("page", server.url("/page.jpg").absoluteString),
        ])
        var made: [[Data]] = []
        var reasons: [[String]] = []
        for options in [[], ["--isolate"]] {
            let (status, rows, run) = try develop(catalog, options)
            XCTAssertEqual(status, 1, run.error)
            reasons.append(rows.map { $0[3] })
            made.append(
                try rows.filter { !$0[5].isEmpty }.map { try Data(contentsOf: output.appending(path: $0[5])) })
        }
        XCTAssertEqual(reasons[0], ["", "", "damaged-image", "not-an-image"])
        XCTAssertEqual(reasons[0], reasons[1])
        XCTAssertEqual(made[0].count, 2)
        XCTAssertEqual(made[0], made[1])
    }
}
