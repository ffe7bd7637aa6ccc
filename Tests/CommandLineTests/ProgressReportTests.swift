import Foundation
import XCTest

@testable import PhotoDevelopment
@testable import classicphotos

/// The line that is redrawn while a run goes on.
final class ProgressReportTests: XCTestCase {
    private func bar(_ width: Int, filtered: Int = 8_000, failed: Int = 1_234, seconds: Int = 100) -> String {
        var report = ProgressReport(.bar)
        var progress = DevelopmentProgress(total: 10_000)
        (progress.filtered, progress.failed, progress.bytes) = (filtered, failed, 50_000_000)
        let text = report.update(progress, elapsed: .seconds(seconds), width: width) ?? ""
        XCTAssert(text.hasPrefix("\r") && text.hasSuffix("\u{1B}[K"))
        return String(text.dropFirst().dropLast(3))
    }

    func testALineNeverReachesTheEdgeAndHasNoHalfWords() {
        let whole = bar(200).split(separator: "] ").last.map(String.init) ?? ""
        let parts = Set(whole.components(separatedBy: ", "))
        XCTAssertEqual(parts.count, 5, whole)
        for width in 1...200 {
            let line = bar(width)
            XCTAssertLessThan(line.count, width)
            let text = line.split(separator: "] ").last.map(String.init) ?? ""
            if width >= 20 {
                for part in text.components(separatedBy: ", ") { XCTAssert(parts.contains(part), "\(width): \(line)") }
            }
        }
    }

    func testFortyColumnsHaveWhatMattersMost() {
        let line = bar(40)
        XCTAssert(line.contains("9234 of 10000") && line.contains("1234 failed"), line)
        let calm = bar(40, filtered: 500, failed: 0)
        XCTAssert(calm.contains("500 of 10000") && calm.contains("left"), calm)
    }

    func testWideTerminalsHaveABar() {
        XCTAssert(bar(100).hasPrefix("[#"), bar(100))
        XCTAssert(bar(300).contains("kB/s"), bar(300))
    }

    func testALineOfJSONASecond() throws {
        var report = ProgressReport(.json)
        var progress = DevelopmentProgress(total: 10)
        var lines: [String] = []
        for half in 0...10 {
            progress.filtered = half / 2
            if let text = report.update(progress, elapsed: .milliseconds(500 * half), width: 80) { lines.append(text) }
        }
        XCTAssertEqual(lines.count, 6)
        lines.append(report.end(progress, elapsed: .milliseconds(5_250)))
        for line in lines { XCTAssert(line.hasSuffix("}\n") && line.count { $0 == "\n" } == 1, line) }
        let last = try XCTUnwrap(lines.last)
        XCTAssert(last.contains(", \"waiting_for_network\": false}"), last)
        var object = try XCTUnwrap(try JSONSerialization.jsonObject(with: Data(last.utf8)) as? [String: Any])
        object["waiting_for_network"] = nil
        XCTAssertEqual(
            object as? [String: Double],
            [
                "seconds": 5.25, "total": 10, "filtered": 5, "damaged": 0, "filtered_earlier": 0, "failed_earlier": 0,
                "skipped": 0,
                "failed": 0, "bytes": 0, "waiting": 0, "resting_hosts": 0,
            ])
    }

    func testALostNetworkIsToldAndThatItIsBack() {
        var report = ProgressReport(.lines)
        var progress = DevelopmentProgress(total: 10)
        XCTAssertNil(report.update(progress, elapsed: .seconds(1), width: 80))
        progress.isWaitingForConnectivity = true
        let lost = report.update(progress, elapsed: .seconds(2), width: 80) ?? ""
        XCTAssert(lost.contains("waiting for the network"), lost)
        XCTAssertNil(report.update(progress, elapsed: .seconds(20), width: 80))
        progress.isWaitingForConnectivity = false
        let back = report.update(progress, elapsed: .seconds(21), width: 80) ?? ""
        XCTAssert(back.contains("0 of 10") && !back.contains("network"), back)
    }

    func testHostsThatRestAreTold() {
        var report = ProgressReport(.lines)
        var progress = DevelopmentProgress(total: 10)
        (progress.filtered, progress.restingHosts) = (1, 2)
        let text = report.update(progress, elapsed: .seconds(6), width: 80) ?? ""
        XCTAssert(text.contains("2 hosts rest"), text)
    }
}
