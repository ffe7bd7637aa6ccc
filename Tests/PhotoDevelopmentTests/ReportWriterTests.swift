import Foundation
import Glibc
import XCTest

@testable import PhotoDevelopment

/// The report's rows, which come in any order and are written in the catalog's.
final class ReportWriterTests: XCTestCase {
    private let folder = FileManager.default.temporaryDirectory.appending(path: "report-\(UUID())").path
    private var path: String { folder + "/report.csv" }

    override func setUpWithError() throws {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    }

    override func tearDown() {
        try? FileManager.default.removeItem(atPath: folder)
    }

    private func row(_ index: Int) -> ReportRow {
        let name = "row \(index), " + String(repeating: "x", count: index % 90)
        return ReportRow(
            name: name, address: "https://example.org/photos/\(index)", outcome: .filtered(file: "\(index)"))
    }

    /// Whether the report is whole and in order.
    private func check(_ count: Int, _ message: String) throws {
        let text = try String(contentsOfFile: path, encoding: .utf8)
        XCTAssert(text == ReportRow.header + (0..<count).map { row($0).csv }.joined(), message)
        XCTAssertEqual(try FileManager.default.contentsOfDirectory(atPath: folder), ["report.csv"])
    }

    func testRowsInAnyOrderAreWrittenInOrder() throws {
        for seed in [1, 2, 3] as [UInt64] {
            var state = seed
            func random(_ bound: Int) -> Int {
                state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                return Int(state >> 33) % bound
            }
            let count = 5_000
            var order = Array(0..<count)
            // Mostly near their place, some far from it, as in a run.
            for index in order.indices { order.swapAt(index, min(count - 1, index + random(40))) }
            for _ in 0..<10 { order.swapAt(random(count), random(count)) }
            let writer = try ReportWriter(path: path)
            for index in order { XCTAssertNil(writer.record(row(index), at: index)) }
            try writer.finish()
            try check(count, "seed \(seed)")
        }
    }

    /// One slow photo in front of all others.
    func testRowsThatAreFarAheadTakeNoMemory() throws {
        let count = 80_000
        let writer = try ReportWriter(path: path)
        let before = Self.residentMegabytes
        for index in 1..<count { XCTAssertNil(writer.record(row(index), at: index)) }
        // As values they took 30, and their text alone is 8.
        XCTAssertLessThan(Self.residentMegabytes - before, 15)
        XCTAssertNil(writer.record(row(0), at: 0))
        XCTAssertLessThan(Self.residentMegabytes - before, 15)
        try writer.finish()
        try check(count, "slow")
    }

    func testARowThatCannotBeSetAsideIsToldOfOnce() throws {
        let writer = try ReportWriter(path: path)
        try FileManager.default.removeItem(atPath: folder)
        let failures = (1..<50_000).compactMap { writer.record(row($0), at: $0) }
        XCTAssertEqual(failures.count, 1)
        XCTAssertNil(writer.record(row(0), at: 0))
        XCTAssertThrowsError(try writer.finish())
    }

    private static var residentMegabytes: Int {
        let text = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8)) ?? ""
        let pages = text.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
        return pages * sysconf(Int32(_SC_PAGESIZE)) / 1_000_000
    }
}
