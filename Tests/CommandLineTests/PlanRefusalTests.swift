import Foundation
import XCTest

/// What a task of a plan does not take.
final class PlanRefusalTests: PlanTestCase {
    func testWhatDoesNotFitIsRefusedAtOnce() throws {
        try makePlan()
        XCTAssertEqual(try task(3).wait(), 2)
        XCTAssertEqual(try task(0, ["--size", "12"]).wait(), 2)
        XCTAssertEqual(try task(0, ["--fresh"]).wait(), 2)
        XCTAssertEqual(try task(0).wait(), 0)
        // No reasons are not all of them.
        let further = folder.appending(path: "further").path
        XCTAssertEqual(
            try ProgramRun(["plan", "--failed-of", output.path, "--class", "", "-o", further]).wait(), 2)
        XCTAssertFalse(FileManager.default.fileExists(atPath: further))
        // A plan is not replaced.
        XCTAssertEqual(try ProgramRun(["plan", localCatalog(), "-o", plan.path]).wait(), 4)
        // Another plan's tasks.
        try FileManager.default.removeItem(at: plan)
        let before = try names(in: "data")
        let other = try ProgramRun(
            [
                "plan", localCatalog(), "-o", plan.path, "--tasks", "3", "--rows-per-shard", "4", "--filter", "none",
                "--size", "17",
            ])
        XCTAssertEqual(other.wait(), 0, other.error)
        let refused = try task(1)
        XCTAssertEqual(refused.wait(), 2)
        XCTAssert(refused.error.contains("--size was 16, and is 17 now"), refused.error)
        XCTAssertEqual(try names(in: "data"), before)
        try FileManager.default.removeItem(at: plan)
        XCTAssertEqual(try task(1).wait(), 3)
    }

    func testAnAddressIsNotTakenForStandardInput() throws {
        let input = Data("url\nhttps://a.example/\n".utf8)
        for scheme in ["https", "HTTPS", "Http"] {
            let address = scheme + "://example.org/list.csv"
            let refused = try ProgramRun(["plan", address, "-o", plan.path], input: input)
            XCTAssertEqual(refused.wait(), 2, address)
            XCTAssert(refused.error.contains("curl -fsS \(address) | classicphotos plan - "), refused.error)
        }
        XCTAssertFalse(FileManager.default.fileExists(atPath: plan.path))
    }

    func testTheOutputOfAnotherCatalogIsRefused() throws {
        try makePlan()
        XCTAssertEqual(try task(0).wait(), 0)
        let before = try names(in: "data") + names(in: "done")
        // One row more, and otherwise the same.
        let catalog = folder.appending(path: "other.csv")
        let text = try String(contentsOfFile: localCatalog(), encoding: .utf8)
        try Data((text + "more,0.jpg,more\n").utf8).write(to: catalog)
        try FileManager.default.removeItem(at: plan)
        let other = try ProgramRun([
            "plan", catalog.path, "-o", plan.path, "--tasks", "3", "--rows-per-shard", "4", "--filter", "none",
            "--size", "16",
        ])
        XCTAssertEqual(other.wait(), 0, other.error)
        let refused = try task(1)
        XCTAssertEqual(refused.wait(), 2)
        XCTAssert(refused.error.contains("it was made of another catalog; take that plan, or"), refused.error)
        XCTAssertEqual(try names(in: "data") + names(in: "done"), before)
    }
}
