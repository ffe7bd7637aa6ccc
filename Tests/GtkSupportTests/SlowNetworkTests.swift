import CAtspi
import Foundation
import TestServers
import XCTest

/// The sample, which comes over a network of the program's own.
final class SlowNetworkTests: GtkTestCase {
    func testTheSampleComesAsSlowlyAsTheSlidersSay() throws {
        try MainActor.assumeIsolated {
            let settings = FileManager.default.temporaryDirectory.appending(path: "classicphotos-slow-\(UUID())")
            defer { try? FileManager.default.removeItem(at: settings) }
            let person = try Self.start([], settings)
            try person.press("See the Sample") { !person.rows.isEmpty }
            try person.waitForRow("Morning Mist, Done")

            // Its catalog waits once, and then its photos do.
            try person.wait("the sliders") { person.set("Latency", to: 2_000) && person.set("Rate", to: 9) }
            try person.focus()
            let begin = try Self.reload(person)
            try person.waitForRow("Morning Mist, Done")
            XCTAssertGreaterThan(ContinuousClock.now - begin, .seconds(4))

            // Ten thousand bytes a second are seconds for each photo; a change holds for those that are under way.
            try person.wait("the sliders") { person.set("Latency", to: 0) && person.set("Rate", to: 0) }
            try Self.reload(person)
            try person.waitForRow("Red Evening, Downloading…")
            try person.wait("the slider") { person.set("Rate", to: 9) }
            try person.waitForRow("Morning Mist, Done")
            try person.waitForRow("Red Evening, Done")
            try person.close()

            // The next start has another server.
            let next = try Self.start([], settings)
            try next.waitForRow("Morning Mist, Done")
            XCTAssertTrue(next.sees("Latency"))
            try next.close()
        }
    }

    func testOtherPhotosHaveNoSliders() throws {
        try MainActor.assumeIsolated {
            let folder = FileManager.default.temporaryDirectory.appending(path: "classicphotos-fast-\(UUID())")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            defer { try? FileManager.default.removeItem(at: folder) }
            let picture = Translations.root.appending(path: "data/sample/01.jpg")
            try FileManager.default.copyItem(at: picture, to: folder.appending(path: "one.jpg"))
            let person = try Self.start([folder.path], folder)
            try person.waitForRow("one.jpg, Done")
            XCTAssertFalse(person.sees("Latency"))
            try person.focus()
            try person.keys("shift+F5")
            try person.waitForRow("one.jpg, Done")
            try person.close()
        }
    }

    /// As small as GNOME wants every window to work; and a proxy knows nothing of this computer's servers.
    func testItFitsASmallScreenAndNeedsNoProxy() throws {
        try MainActor.assumeIsolated {
            let folder = FileManager.default.temporaryDirectory.appending(path: "classicphotos-small-\(UUID())")
            let settings = folder.appending(path: "classicphotos")
            try FileManager.default.createDirectory(at: settings, withIntermediateDirectories: true)
            defer { try? FileManager.default.removeItem(at: folder) }
            try Data("[window]\nwidth=360\nheight=294\n".utf8).write(to: settings.appending(path: "app.ini"))
            let proxy = "http://127.0.0.1:1"
            let sample = Translations.root.appending(path: "data/sample.csv")
            let person = try Self.start([sample.path], folder, ["http_proxy": proxy, "all_proxy": proxy])
            try person.waitForRow("Morning Mist, Done")
            XCTAssertTrue(person.sees("Latency"))
            let size = try Screen.size(ofWindow: "Classic Photos")
            XCTAssertEqual([size.width, size.height], [360, 294])

            // With the operations, nothing is cut off at the side.
            try Screen.resize("Classic Photos", width: 360, height: 640)
            try person.focus()
            try person.keys("F9")
            try person.wait("the panel") { person.sees("Main thread") }
            try person.wait("the slider inside of the window") {
                guard let slider = person.frame(of: "Latency", role: ATSPI_ROLE_SLIDER) else { return false }
                return slider.x > 12 && slider.x + slider.width < 348
            }
            try person.close()
        }
    }

    /// Has the photos fetched once more, and waits until the first is on its way. Whoever looks so slowly that it is there meanwhile
    /// does that again.
    /// - Returns: When it was asked for.
    @MainActor @discardableResult
    private static func reload(_ person: Person) throws -> ContinuousClock.Instant {
        var last: ContinuousClock.Instant?
        try person.wait("the first photo on its way") {
            if person.rows.contains("Morning Mist, Downloading…") { return true }
            if let last, ContinuousClock.now - last < .seconds(8) { return false }
            last = .now
            try person.keys("shift+F5")
            return false
        }
        return try XCTUnwrap(last)
    }

    @MainActor private static func start(
        _ arguments: [String], _ settings: URL, _ environment: [String: String] = [:]
    ) throws -> Person {
        let app = try AppRun(arguments, settings: settings, isReadable: true, environment: environment)
        return Person(reader: try Reader(program: "classicphotos-app"), app: app)
    }
}
