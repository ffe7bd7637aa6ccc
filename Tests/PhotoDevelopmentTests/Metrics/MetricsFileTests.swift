import Foundation
import Operations
import Synchronization
import XCTest

@testable import PhotoDevelopment

/// The file with a run's figures.
final class MetricsFileTests: XCTestCase {
    private let folder = FileManager.default.temporaryDirectory.appending(path: "metrics-\(UUID())")
    private var path: String { folder.appending(path: "run.prom").path }

    override func setUpWithError() throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    override func tearDown() {
        try? FileManager.default.removeItem(at: folder)
    }

    /// Waits for a condition, for a minute at most.
    private func wait(_ isMet: () -> Bool) async throws {
        let end = ContinuousClock.now + .seconds(60)
        while !isMet(), ContinuousClock.now < end { try await Task.sleep(for: .milliseconds(2)) }
        XCTAssert(isMet())
    }

    func testTheFileIsReplacedWholeAgainAndAgainAndAtTheEnd() async throws {
        let file = try MetricsFile(path: path)
        let count = Atomic(0)
        file.begin(every: .milliseconds(5)) {
            let number = count.add(1, ordering: .relaxed).newValue
            return String(repeating: "\(number)\n", count: 10_000)
        } whenFailed: {
            XCTFail("\($0)")
        }
        var seen: Set<Substring> = []
        try await wait {
            guard let text = try? String(contentsOfFile: path, encoding: .utf8) else { return false }
            let lines = text.split(separator: "\n")
            XCTAssertEqual(lines.count, 10_000)
            XCTAssertEqual(Set(lines).count, 1)
            seen.formUnion(lines.prefix(1))
            return seen.count > 5
        }
        await file.end("end\n") { XCTFail("\($0)") }
        XCTAssertEqual(try String(contentsOfFile: path, encoding: .utf8), "end\n")
        let calls = count.load(ordering: .relaxed)
        // So long that another one with this interval is written again and again.
        let other = try MetricsFile(path: folder.appending(path: "other.prom").path)
        let others = Atomic(0)
        other.begin(every: .milliseconds(5)) {
            "\(others.add(1, ordering: .relaxed).newValue)\n"
        } whenFailed: {
            XCTFail("\($0)")
        }
        try await wait { others.load(ordering: .relaxed) > 5 }
        await other.end("") { XCTFail("\($0)") }
        XCTAssertEqual(count.load(ordering: .relaxed), calls)
        XCTAssertEqual(
            try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted(), ["other.prom", "run.prom"])
    }

    func testAFailureIsToldOnceAndTheFileComesBack() async throws {
        let file = try MetricsFile(path: path)
        let failures = Atomic(0)
        let writings = Atomic(0)
        try FileManager.default.removeItem(at: folder)
        file.begin(every: .milliseconds(2)) {
            writings.add(1, ordering: .relaxed)
            return "x\n"
        } whenFailed: { error in
            guard case .metricsUnusable(_, let reason) = error, !reason.isEmpty else { return XCTFail("\(error)") }
            failures.add(1, ordering: .relaxed)
        }
        try await wait { writings.load(ordering: .relaxed) > 5 }
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try await wait { FileManager.default.fileExists(atPath: path) }
        // In one step, as a file may come while a folder is removed.
        let aside = folder.appendingPathExtension("aside")
        try FileManager.default.moveItem(at: folder, to: aside)
        defer { try? FileManager.default.removeItem(at: aside) }
        await file.end("end\n") { _ in failures.add(1, ordering: .relaxed) }
        XCTAssertEqual(failures.load(ordering: .relaxed), 1)
    }

    func testAPathThatCannotBeWrittenIsFoundAtOnce() {
        for wrong in [path + "/no/such", folder.path, "/dev/null", ""] {
            XCTAssertThrowsError(try MetricsFile(path: wrong)) { error in
                guard case DevelopmentError.metricsUnusable(wrong, _) = error else { return XCTFail("\(error)") }
            }
        }
    }
}
