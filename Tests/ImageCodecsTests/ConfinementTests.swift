import Foundation
import Pixels
import XCTest

@testable import ImageCodecs

/// What a decoder that was taken over can do: a helper with an attacker in place of the decoder tries.
final class ConfinementTests: XCTestCase {
    private struct Outcome {
        /// The bits of what the system lacks.
        var missing = 0
        var done: [String] = []
        var refused: [String] = []
    }

    /// Runs the attacker, as an ordinary user, to its end.
    private func attack(_ room: String, _ way: String) throws -> Outcome {
        // A folder that every user can come to; its path must be short enough for a socket.
        let folder = URL(filePath: "/tmp/classicphotos-\(UUID().uuidString.prefix(8))")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(at: folder) }
        try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: folder.path)
        let tests = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        let candidates = [CommandLine.arguments[0], tests].map {
            URL(filePath: $0).deletingLastPathComponent().appending(path: "decode-attacker")
        }
        let process = Process()
        process.executableURL = try XCTUnwrap(
            candidates.first { FileManager.default.isExecutableFile(atPath: $0.path) })
        process.arguments = [room, way, folder.path]
        process.environment = ["ATTACKED": "the secret of the program"]
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        // None of the attacks takes long, but one that is not refused may hang.
        let limit = DispatchWorkItem { kill(process.processIdentifier, SIGKILL) }
        DispatchQueue.global().asyncAfter(deadline: .now() + 60, execute: limit)
        defer { limit.cancel() }
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        XCTAssertEqual(process.terminationStatus, 0, "not all attacks were tried: \(text)")
        var outcome = Outcome()
        for line in text.split(separator: "\n") {
            let words = line.split(separator: " ", maxSplits: 1).map(String.init)
            switch words[0] {
            case "missing": outcome.missing = Int(words[1]) ?? -1
            case "done": outcome.done.append(words[1])
            default: outcome.refused.append(words[1])
            }
        }
        return outcome
    }

    private func skipWhereSanitized() throws {
        try XCTSkipIf(ProcessStatus.isSanitized, "a sanitizer needs what is refused")
    }

    func testNothingThatAnAttackerTriesIsDone() throws {
        try skipWhereSanitized()
        for room in ["pictures", "drawings"] {
            let outcome = try attack(room, "confined")
            try XCTSkipIf(outcome.missing & 2 != 0, "this system has no filter of calls")
            // Where the system has no rules for files, fonts are no more than a reason to read.
            let hasRules = outcome.missing & 4 == 0 || room == "pictures"
            XCTAssertEqual(outcome.done.filter { hasRules || !$0.hasPrefix("(files)") }, [], room)
            XCTAssertGreaterThan(outcome.refused.count, 90)
        }
    }

    /// Otherwise the test above would say nothing.
    func testWithoutConfinementMostAttacksAreDone() throws {
        let outcome = try attack("pictures", "free")
        XCTAssertGreaterThan(outcome.done.count, 60, "\(outcome.refused)")
        XCTAssertTrue(outcome.done.contains("(files) read a private file"))
        XCTAssertTrue(outcome.done.contains("execve"))
        XCTAssertTrue(outcome.done.contains("take more memory than it may"))
        XCTAssertTrue(outcome.done.contains("raise the limit of its memory"))
        for name in [
            "take more shared memory than it may", "take more memory that grows than it may",
            "ignore the end of its time", "ignore the end of its time by a larger number",
        ] {
            XCTAssertTrue(outcome.done.contains(name), name)
        }
        XCTAssertTrue(outcome.refused.contains("inherit the environment"))
        XCTAssertTrue(outcome.refused.contains("use a descriptor of the program"))
    }

    /// Some containers forbid what confines; what needs no permission holds there, too.
    func testAPoorSystemLacksNoMoreThanItMust() throws {
        try skipWhereSanitized()
        let outcome = try attack("pictures", "poor")
        XCTAssertEqual(outcome.missing, 6)
        for name in [
            "inherit the environment", "use a descriptor of the program", "ioctl TIOCSTI", "setns",
            "take more memory than it may", "grow the heap beyond what it may",
        ] {
            XCTAssertTrue(outcome.refused.contains(name), name)
        }
    }

    func testWhatIsMissingIsKnown() throws {
        try skipWhereSanitized()
        for format in [ImageFormat.gif, .svg] {
            _ = try ImageDecoder.decode(FormatTests.file(format), longestSide: 20)
        }
        let bits: [HelperConfinement: Int] = [.memoryLimit: 1, .callFilter: 2, .fileRules: 4]
        let missing = HelperConfinement.missing.reduce(0) { $0 | (bits[$1] ?? 0) }
        XCTAssertEqual(missing, try attack("pictures", "confined").missing)
        XCTAssertEqual(Set(HelperConfinement.allCases.map(\.description)).count, 4)
    }

    /// A plug-in of an interpreter decodes in that.
    func testWithoutHelpersAllIsMissing() {
        XCTAssertEqual(HelperConfinement.missing([], hasHelpers: false), HelperConfinement.allCases)
        XCTAssertEqual(HelperConfinement.missing([.fileRules], hasHelpers: true), [.fileRules])
    }

    /// Fonts, and pictures within a drawing, are found by a decoder that can open nothing else.
    func testDrawingsWithTextAndPictures() throws {
        let picture = TestImages.solid(8, 8, [200, 30, 60, 255])
        let inner = try [
            ("png", FormatTests.file(.png, picture)), ("jpeg", FormatTests.file(.jpeg, picture)),
            ("gif", FormatTests.file(.gif, picture)), ("svg+xml", FormatTests.file(.svg)),
        ]
        let images = inner.enumerated().map { index, part in
            "<image x='\(index * 30)' y='40' width='24' height='24' "
                + "href='data:image/\(part.0);base64,\(part.1.base64EncodedString())'/>"
        }.joined()
        let fonts = ["sans-serif", "serif", "monospace"].enumerated().map { index, family in
            "<text x='4' y='\(12 * index + 12)' font-family='\(family)' font-size='11'>Hamburg \(family)</text>"
        }.joined()
        let file = Data(
            ("<svg xmlns='http://www.w3.org/2000/svg' width='120' height='70'>"
                + "<rect width='120' height='70' fill='white'/>\(fonts)\(images)</svg>").utf8)
        let there = try ImageDecoder.decode(file, longestSide: nil)
        let here = try ImageDecoder.decode(file, longestSide: nil, limits: DecodeLimits(isolation: .nothing))
        XCTAssertEqual(there, here)
        for index in 0..<3 {
            let colour = TestImages.colour(there, index * 30 + 12, 52)
            XCTAssertTrue(zip(colour, [200, 30, 60]).allSatisfy { abs($0 - $1) < 8 }, "\(inner[index].0): \(colour)")
        }
    }
}
