import Foundation
import Glibc
import ImageCodecs
import Pixels
import XCTest

/// The program itself, under an X server, seen as a person sees it: by what is on the screen.
final class AppTests: GtkTestCase {
    func testTheAppShowsAFolderAndCloses() throws {
        try MainActor.assumeIsolated {
            let folder = FileManager.default.temporaryDirectory.appending(path: "classicphotos-app-\(UUID())")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            defer { try? FileManager.default.removeItem(at: folder) }
            let colours: [[UInt8]] = [[220, 40, 40], [40, 200, 60], [60, 80, 220]]
            for (index, colour) in colours.enumerated() {
                try ImageEncoder(format: .png).encode(Self.image(of: colour))
                    .write(to: folder.appending(path: "photo \(index).png"))
            }
            try Data("no picture".utf8).write(to: folder.appending(path: "photo 3.png"))
            let app = try AppRun([folder.path])
            var seen: [Int] = []
            // As they are: they are one's own.
            try Self.wait("pictures on the screen; there are \(seen)", seconds: 30) {
                seen = try Screen.pixelCounts(of: colours)
                return seen.allSatisfy { $0 > 96 * 72 / 2 } || !app.isRunning
            }
            XCTAssertTrue(app.isRunning, app.output)
            try Screen.focus("Classic Photos")
            try Screen.key("ctrl+w")
            Self.wait("end of the program") { !app.isRunning }
            XCTAssertEqual(app.exitStatus, 0)
            XCTAssertEqual(app.output, "", "GTK has nothing to complain about")
        }
    }

    func testTheCommandLineIsChecked() throws {
        try MainActor.assumeIsolated {
            for (arguments, status) in [
                (["--version"], 0), (["--help"], 0), (["--nonsense"], 2), (["a", "https://b"], 2),
                (["--strategy", "x"], 2),
            ] {
                let app = try AppRun(arguments)
                Self.wait("end of the program") { !app.isRunning }
                XCTAssertEqual(app.exitStatus, Int32(status), "\(arguments)")
            }
        }
    }

    private static func image(of colour: [UInt8]) -> PixelBuffer {
        let pixels = Array(repeatElement(colour + [255], count: 120 * 90).joined())
        return PixelBuffer(uninitialized: PixelSize(width: 120, height: 90), isOpaque: true) {
            $0.copyBytes(from: pixels)
        }
    }
}
