import CAtspi
import Foundation
import Glibc
import XCTest

@testable import PhotoApp

/// What becomes of the preferences where their file is damaged or cannot be read.
final class KeptPreferencesTests: GtkTestCase {
    func testALineThatIsNotUnderstoodCostsNothingElse() throws {
        try MainActor.assumeIsolated {
            for text in [
                "[window]\nwidth=1000\nwhat is this\nlook=vivid\nrecent-0=/a.csv\n",
                "width=1000\n[wind\nlook=vivid\nrecent-0=/a.csv",
                "[window]\nwidth=1000\nlook=vivid\n=\nrecent-0=/a.csv\n",
            ] {
                try Self.withFile(text) { file in
                    var preferences = Preferences.load(from: file)
                    XCTAssertTrue(preferences.isFaulty, text)
                    XCTAssertEqual(preferences.width, 1_000, text)
                    XCTAssertEqual(preferences.catalogLook.identifier, "vivid", text)
                    XCTAssertEqual(preferences.recent, ["/a.csv"], text)
                    preferences.height = 600
                    XCTAssertEqual(preferences.save(to: file), .mended(copy: file + ".broken"))
                    XCTAssertEqual(try String(contentsOfFile: file + ".broken", encoding: .utf8), text)
                    XCTAssertEqual(preferences.save(to: file), .kept)
                    let again = Preferences.load(from: file)
                    XCTAssertFalse(again.isFaulty)
                    XCTAssertEqual([again.width, again.height], [1_000, 600])
                    XCTAssertEqual(again.catalogLook.identifier, "vivid")
                    XCTAssertEqual(again.recent, ["/a.csv"])
                }
            }
        }
    }

    func testAFileThatCannotBeReadIsLeftAlone() throws {
        try MainActor.assumeIsolated {
            try Self.withFile("[window]\nwidth=1000\n") { file in
                // Who runs as root may read any file; a link that leads around in a circle nobody can.
                let target = file + ".kept"
                try FileManager.default.moveItem(atPath: file, toPath: target)
                try FileManager.default.createSymbolicLink(atPath: file, withDestinationPath: file)
                var preferences = Preferences.load(from: file)
                XCTAssertTrue(preferences.isFaulty)
                guard case .failed(let reason) = preferences.save(to: file) else { return XCTFail("it was written") }
                XCTAssertEqual(SystemReason.text(reason, isAboutWriting: true), "links lead around in a circle")
                XCTAssertEqual(try FileManager.default.destinationOfSymbolicLink(atPath: file), file)

                // As a disk does that is there again.
                try FileManager.default.removeItem(atPath: file)
                try FileManager.default.moveItem(atPath: target, toPath: file)
                XCTAssertEqual(preferences.save(to: file), .kept)
                XCTAssertEqual(Preferences.load(from: file).width, 1_000)
            }
        }
    }

    func testWhereThereIsNoFileOneIsMade() throws {
        try MainActor.assumeIsolated {
            try Self.withFile("") { file in
                try FileManager.default.removeItem(atPath: file)
                var preferences = Preferences.load(from: file)
                XCTAssertFalse(preferences.isFaulty)
                preferences.width = 1_000
                XCTAssertEqual(preferences.save(to: file), .kept)
                XCTAssertEqual(Preferences.load(from: file).width, 1_000)
                XCTAssertFalse(FileManager.default.fileExists(atPath: file + ".broken"))
            }
        }
    }

    func testWhoseFileIsDamagedIsToldWhereItIs() throws {
        try MainActor.assumeIsolated {
            try Self.withFile("[window]\nappearance=dark\nwhat is this\n") { file in
                let settings = URL(filePath: file).deletingLastPathComponent().deletingLastPathComponent()
                let person = Person(
                    reader: try Reader(program: "classicphotos-app"),
                    app: try AppRun([], settings: settings, isReadable: true))
                try person.wait("what is said of it") {
                    person.sees(
                        "Parts of the preferences cannot be understood. The file as it was is kept as “\(file).broken”."
                    )
                }
                try person.close()
                XCTAssertTrue(try String(contentsOfFile: file, encoding: .utf8).contains("appearance=dark\n"))
            }
        }
    }

    /// Hands a file over that has a text, in a folder of its own.
    @MainActor private static func withFile(_ text: String, _ body: @MainActor (String) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "classicphotos-kept-\(UUID())")
        let file = folder.appending(path: "classicphotos/app.ini")
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try Data(text.utf8).write(to: file)
        try body(file.path)
    }
}
