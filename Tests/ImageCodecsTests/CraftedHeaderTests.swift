import Foundation
import XCTest

/// The memory of a program and its helpers together, measured from outside, while it decodes files whose headers lie.
///
/// `CLASSICPHOTOS_CRAFTED_HEADERS=10000` sets how many, `CLASSICPHOTOS_SEED=7` which.
final class CraftedHeaderTests: XCTestCase {
    private static func number(_ name: String) -> Int? { ProcessInfo.processInfo.environment[name].flatMap { Int($0) } }

    func testHeadersThatLieTakeNoMoreThanTheLimit() throws {
        try XCTSkipIf(ProcessStatus.isSanitized, "a sanitizer takes several times the memory that is measured")
        let megabytes = 64
        let seed = Self.number("CLASSICPHOTOS_SEED") ?? 20_261_123
        let count = Self.number("CLASSICPHOTOS_CRAFTED_HEADERS") ?? 400
        let process = Process()
        process.executableURL = try XCTUnwrap(
            CommandLine.arguments.first.map {
                URL(filePath: $0).deletingLastPathComponent().appending(path: "header-decoder")
            })
        process.arguments = ["\(seed)", "\(count)", "\(megabytes)"]
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        var peak = 0
        while process.isRunning {
            // Helpers come and go, so that each is to be seen before it ends. The kernel remembers the most that it has had.
            peak = max(peak, Self.memory(of: process.processIdentifier))
            usleep(2_000)
        }
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        print("seed \(seed), \(count) files: \(text)peak: \(peak >> 10) MB in all")
        XCTAssertEqual(process.terminationStatus, 0)
        XCTAssert(text.contains("picture") && text.contains("damaged"), text)
        XCTAssertGreaterThan(peak, 0)
        XCTAssertLessThan(peak >> 10, 2 * megabytes + 200)
    }

    /// In kilobytes, the most that a process and its children, which is all that it starts, have had each.
    private static func memory(of process: Int32) -> Int {
        let tasks = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(process)/task")) ?? []
        let children = tasks.flatMap { task in
            let list = try? String(contentsOfFile: "/proc/\(process)/task/\(task)/children", encoding: .utf8)
            return (list ?? "").split(separator: " ").compactMap { Int32($0) }
        }
        return ([process] + children).reduce(0) { $0 + most(of: $1) }
    }

    private static func most(of process: Int32) -> Int {
        let status = try? String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)
        let line = status?.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
        return line?.split(whereSeparator: \.isWhitespace).compactMap { Int($0) }.first ?? 0
    }
}
