import CAtspi
import Foundation
import ImageCodecs
import Pixels
import TestServers
import XCTest

/// Closing the window at any moment: the program ends soon, and the next start shows the same place.
final class ClosingTests: GtkTestCase {
    func testTheNextStartShowsTheSamePlaceHoweverSoonItIsClosed() throws {
        try MainActor.assumeIsolated {
            let reader = try Reader(program: "classicphotos-app")
            let fixture = try Fixture()
            defer { fixture.remove() }
            fixture.server.serve(
                try ImageEncoder(format: .png).encode(PixelBuffer(size: PixelSize(width: 8, height: 8))), at: "/a")
            try fixture.writeCatalog((0..<400).map { "Photo \(399 - $0),\(fixture.server.url("/a?\($0)"))" })
            for search in ["", "photo 2"] {
                let place = [
                    "width": "700", "height": "640", "maximized": "false", "appearance": "dark", "layout": "grid",
                    "order": "name", "look": "vivid", "intensity": "0.5", "catalog": fixture.catalog.path,
                    "place": "150", "search": search, "place-in-search": search.isEmpty ? "0" : "149",
                    "place-address": "\(fixture.server.url("/a?150"))",
                    "place-in-search-address": search.isEmpty ? "" : "\(fixture.server.url("/a?149"))",
                    "recent-0": fixture.catalog.path, "private-addresses": "false", "keep-pictures": "true",
                ]
                try fixture.write(place)
                // The 150th of the catalog is Photo 249; the 149th, Photo 250.
                let top = search.isEmpty ? "Photo 249, Done" : "Photo 250, Done"
                for waitsForRows in [false, true, false, true] {
                    let app = try AppRun([], settings: fixture.settings, isReadable: true)
                    try Self.waitForWindow(app)
                    if waitsForRows {
                        try Self.wait("row “\(top)”; there are \(reader.rows.prefix(8))", seconds: 60) {
                            try app.check()
                            return reader.rows.contains(top)
                        }
                    }
                    try fixture.close(app, "with\(search.isEmpty ? "out" : "") a search")
                    XCTAssertEqual(try fixture.preferences, place)
                }
            }
        }
    }

    func testClosingInTheMiddleOfEverythingEndsTheProgram() throws {
        try MainActor.assumeIsolated {
            let fixture = try Fixture()
            defer { fixture.remove() }
            let server = fixture.server
            // Noise: it takes long to decode.
            let large = PixelBuffer(uninitialized: PixelSize(width: 4_000, height: 3_000), isOpaque: true) { pixels in
                var value: UInt32 = 1
                for index in pixels.indices {
                    value = value &* 1_664_525 &+ 1_013_904_223
                    pixels[index] = index % 4 == 3 ? 255 : UInt8(value >> 24)
                }
            }
            server.serve(try ImageEncoder(format: .jpeg).encode(large), at: "/large")
            for fault in [Fault.stall, .stallAfterHead, .stallMidBody, .drip] {
                try fixture.writeCatalog((0..<400).map { "Photo \($0),\(server.url(fault, query: "\($0)"))" })
                let app = try AppRun([fixture.catalog.path], settings: fixture.settings)
                XCTAssertTrue(server.waitForRequests(fault.rawValue, seconds: 60))
                try fixture.close(app, "while downloading (\(fault))")
            }
            try fixture.writeCatalog((0..<400).map { "Photo \($0),\(server.url("/large?\($0)"))" })
            let decoding = try AppRun([fixture.catalog.path], settings: fixture.settings)
            XCTAssertTrue(server.waitForAnswers("/large", seconds: 60))
            try fixture.close(decoding, "while decoding")

            let line = "Photo,\(server.url("/large"))\n"
            try Data(("name,url\n" + String(repeating: line, count: 1_000_000)).utf8).write(to: fixture.catalog)
            let loading = try AppRun([fixture.catalog.path], settings: fixture.settings)
            try Self.waitForWindow(loading)
            try fixture.close(loading, "while loading a million rows")

            try fixture.writeCatalog(["Photo,\(server.url("/large"))"])
            let told = try AppRun([fixture.catalog.path], settings: fixture.settings)
            try Self.waitForWindow(told)
            told.interrupt()
            try fixture.close(told, "by two at once")
        }
    }

    /// Photos may be on their way when the window is closed.
    func testTheEndOfTheProgramClearsNothingUpThatThreadsMayUse() throws {
        try MainActor.assumeIsolated {
            let fixture = try Fixture()
            defer { fixture.remove() }
            let library = try PreloadedLibrary.watchingExit(in: fixture.folder)
            try fixture.writeCatalog(["Photo,\(fixture.server.url(.stall))"])
            let app = try AppRun(
                [fixture.catalog.path], settings: fixture.settings, environment: ["LD_PRELOAD": library.path])
            XCTAssertTrue(fixture.server.waitForRequests(Fault.stall.rawValue, seconds: 60))
            try fixture.close(app, "with a library that watches the end")
            let mark = fixture.folder.appending(path: "cleared-up")
            XCTAssertFalse(FileManager.default.fileExists(atPath: mark.path))
        }
    }

    func testTheSecondSignalEndsAProgramWhoseMainThreadIsBlocked() throws {
        try MainActor.assumeIsolated {
            let fixture = try Fixture()
            defer { fixture.remove() }
            try fixture.writeCatalog((0..<400).map { "Photo \($0),\(fixture.server.url(.stall, query: "\($0)"))" })
            for (name, send) in [("SIGTERM", { $0.terminate() }), ("SIGINT", { $0.interrupt() })]
                as [(String, (AppRun) -> Void)]
            {
                let before = fixture.server.requestCount(Fault.stall.rawValue)
                let app = try AppRun(
                    ["scroll", fixture.catalog.path, "--strategy", "blocking"], of: "app-drivers")
                XCTAssertTrue(fixture.server.waitForRequests(Fault.stall.rawValue, count: before + 1, seconds: 60))
                send(app)
                usleep(300_000)
                XCTAssertTrue(app.isRunning, "the main thread waits for a photo, and has not heard \(name)")
                send(app)
                // A photo is given up after 15 seconds, and is asked for again.
                Self.wait("end of the program by \(name)", seconds: 10) { !app.isRunning }
            }
        }
    }

    func testAPhotoThatIsBeingSavedIsThereWholeOrNotAtAll() throws {
        try MainActor.assumeIsolated {
            let reader = try Reader(program: "classicphotos-app")
            let fixture = try Fixture()
            defer { fixture.remove() }
            try fixture.writeCatalog(["Photo 0,\(fixture.server.url(.stallMidBody))"])
            let app = try AppRun([fixture.catalog.path], settings: fixture.settings, isReadable: true)
            let person = Person(reader: reader, app: app)
            try person.waitForRow("Photo 0, Downloading…")
            let folder = fixture.folder.appending(path: "saved")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            try person.keys("Home", "ctrl+s")
            try person.answerFileDialog("Save Photo As", folder.appending(path: "saved.png").path)
            try person.wait("the saving") { person.sees("Saving “Photo 0”…") }
            // The program goes on until the photo is saved; told twice, it ends.
            app.terminate()
            try person.wait("the end of the window") { try !Screen.hasWindow("Classic Photos") }
            app.terminate()
            Self.wait("end of the program") { !app.isRunning }
            XCTAssertEqual(app.output, "")
            XCTAssertEqual(try FileManager.default.contentsOfDirectory(atPath: folder.path), [])
        }
    }

    /// `nohup classicphotos-app &`, and then the terminal is closed.
    func testWhatIsIgnoredFromTheBeginningStaysSo() throws {
        try MainActor.assumeIsolated {
            let reader = try Reader(program: "classicphotos-app")
            let fixture = try Fixture()
            defer { fixture.remove() }
            try fixture.writeCatalog(["Photo 0,\(fixture.server.url(.gate))"])
            let app = try AppRun(
                [fixture.catalog.path], ignoring: "HUP", settings: fixture.settings, isReadable: true)
            let person = Person(reader: reader, app: app)
            try person.waitForRow("Photo 0, Downloading…")
            app.hangUp()
            fixture.server.openGate()
            // The window hears of that after the signal.
            try person.wait("the end of the download") {
                !reader.rows.isEmpty && !reader.rows.contains("Photo 0, Downloading…")
            }
            XCTAssertTrue(try Screen.hasWindow("Classic Photos"))
            try fixture.close(app, "after a hangup that is ignored")
        }
    }

    // MARK: Helpers

    @MainActor private static func waitForWindow(_ app: AppRun) throws {
        try wait("window", seconds: 60) {
            try app.check()
            return try Screen.hasWindow("Classic Photos")
        }
    }

    /// A server, a catalog, and what the program remembers.
    @MainActor private final class Fixture {
        let server: FaultServer
        let folder = FileManager.default.temporaryDirectory.appending(path: "classicphotos-closing-\(UUID())")
        var settings: URL { folder.appending(path: "settings") }
        var catalog: URL { folder.appending(path: "catalog.csv") }
        private var file: URL { settings.appending(path: "classicphotos/app.ini") }

        init() throws {
            server = try FaultServer()
            try FileManager.default.createDirectory(
                at: settings.appending(path: "classicphotos"), withIntermediateDirectories: true)
        }

        func remove() {
            server.stop()
            try? FileManager.default.removeItem(at: folder)
        }

        func writeCatalog(_ lines: [String]) throws {
            try Data(("name,url\n" + lines.joined(separator: "\n")).utf8).write(to: catalog)
        }

        func write(_ preferences: [String: String]) throws {
            let lines = preferences.map { "\($0)=\($1)\n" }
            try Data(("[window]\n" + lines.joined()).utf8).write(to: file)
        }

        var preferences: [String: String] {
            get throws {
                let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n").filter {
                    $0.contains("=")
                }
                return Dictionary(
                    lines.map { line in
                        let parts = line.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                        return (String(parts[0]), String(parts[1]))
                    }, uniquingKeysWith: { $1 })
            }
        }

        /// Closes the program, which has to end without a complaint; says how long that took.
        func close(_ app: AppRun, _ when: String) throws {
            let start = ContinuousClock.now
            app.terminate()
            GtkTestCase.wait("end of the program closed \(when)", seconds: 60) { !app.isRunning }
            print("closed \(when): \(ContinuousClock.now - start)")
            XCTAssertEqual(app.exitStatus, 0, app.output)
            XCTAssertEqual(app.output, "", "GTK has nothing to complain about")
        }
    }
}
