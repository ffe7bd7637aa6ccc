import CAtspi
import CGtk
import Foundation
import GtkSupport
import ImageCodecs
import PhotoBrowser
import PhotoPipeline
import Pixels
import TestServers
import XCTest

@testable import PhotoApp

/// The slideshow of the large view.
final class SlideshowTests: GtkTestCase {
    func testWhatIsLoadingIsWaitedForAndWhatFailedIsPassedOver() throws {
        try MainActor.assumeIsolated {
            let server = try FaultServer()
            defer { server.stop() }
            let image = try ImageEncoder(format: .png).encode(PixelBuffer(size: PixelSize(width: 8, height: 6)))
            for path in ["/a", Fault.gate.rawValue, "/b"] { server.serve(image, at: path) }
            let addresses = [server.url("/a"), server.url("/missing"), server.url(.gate), server.url("/b")]
            let lines = addresses.enumerated().map { "Photo \($0),\($1)\n" }
            let catalog = try Catalog(
                parsing: Data(("name,url\n" + lines.joined()).utf8), origin: .file(path: "/catalog.csv"))
            let list = PhotoList(catalog: catalog, pipeline: PhotoPipeline(), longestSide: 16)
            let viewer = PhotoViewer(slideshowInterval: .milliseconds(5))
            var (switches, seen): ([Bool], [Int]) = ([], [])
            viewer.slideshow.onSwitch = { switches.append($0) }
            viewer.onMove = { seen.append($0.index) }
            viewer.show(Photo.ID(0), of: list)
            viewer.slideshow.start()
            Self.wait("the photo that does not come") { viewer.photo == Photo.ID(2) }
            Self.pass()
            XCTAssertEqual(seen, [0, 1, 2])
            server.openGate()
            Self.wait("the end") { !viewer.slideshow.isRunning }
            XCTAssertEqual(viewer.photo, Photo.ID(3), "it does not begin again")
            XCTAssertEqual(seen, [0, 1, 2, 3])
            XCTAssertEqual(switches, [true, false])
            viewer.leave()
            list.close()
        }
    }

    func testItGoesOnOnlyFromWhatIsShownAndOnlyWhileItRuns() {
        MainActor.assumeIsolated {
            let slideshow = Slideshow(interval: .milliseconds(5))
            var steps = 0
            var switches: [Bool] = []
            slideshow.onNext = {
                steps += 1
                return true
            }
            slideshow.onSwitch = { switches.append($0) }
            slideshow.start()
            XCTAssertFalse(slideshow.isRunning, "nothing is seen")
            slideshow.see(Photo.ID(0), isSettled: true)
            Self.pass()
            XCTAssertEqual(steps, 0, "it was not begun")
            slideshow.see(Photo.ID(1), isSettled: false)
            slideshow.start()
            Self.pass()
            XCTAssertEqual(steps, 0, "it is loading")
            slideshow.see(Photo.ID(1), isSettled: true)
            Self.pass()
            XCTAssertEqual(steps, 1, "once for each photo")
            // Another try of a photo that failed.
            slideshow.see(Photo.ID(2), isSettled: true)
            slideshow.see(Photo.ID(2), isSettled: false)
            Self.pass()
            XCTAssertEqual(steps, 1)
            slideshow.see(Photo.ID(2), isSettled: true)
            slideshow.end()
            Self.pass()
            XCTAssertEqual(steps, 1)
            slideshow.start()
            slideshow.see(nil, isSettled: false)
            Self.pass()
            XCTAssertEqual(steps, 1)
            XCTAssertEqual(switches, [true, false, true, false], "it ends when the large view is left")
        }
    }

    func testTheScreenStaysOnWhileItRuns() throws {
        try MainActor.assumeIsolated {
            let reader = try Reader(program: "classicphotos-app")
            guard let session = SessionManager() else { throw XCTSkip("there is no message bus (dbus-daemon)") }
            defer { session.end() }
            let folder = FileManager.default.temporaryDirectory.appending(path: "classicphotos-slides-\(UUID())")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            defer { try? FileManager.default.removeItem(at: folder) }
            // So many that the end is far.
            let image = try ImageEncoder(format: .png).encode(PixelBuffer(size: PixelSize(width: 80, height: 60)))
            for number in 10..<60 { try image.write(to: folder.appending(path: "\(number).png")) }
            let app = try AppRun([folder.path], isReadable: true)
            let person = Person(reader: reader, app: app)
            try person.waitForRow("10.png, Done")
            XCTAssertEqual(session.kept, [])
            // From the list.
            try person.keys("ctrl+F5")
            try person.wait("the slideshow") {
                person.numberInLarge(of: 50) == 1 && session.kept == [SessionManager.idle]
            }
            try person.keys("Escape")
            try person.wait("the end of the slideshow") { session.kept.isEmpty }
            XCTAssertNotNil(person.numberInLarge(of: 50), "the photo is still seen in large")
            // From the large view.
            for end in ["ctrl+F5", "BackSpace"] {
                try person.keys("ctrl+F5")
                try person.wait("the slideshow") { session.kept == [SessionManager.idle] }
                try person.keys(end)
                try person.wait("the end of the slideshow") { session.kept.isEmpty }
            }
            XCTAssertEqual(session.count, 3)
            // From the menu, after which the keyboard is the picture's.
            try person.press("Menu") { person.sees("Slideshow") }
            try person.go(by: "Down", to: "Slideshow")
            try Screen.key("Return")
            try person.wait("the slideshow") { session.kept == [SessionManager.idle] }
            try person.keys("Escape")
            try person.wait("the end of the slideshow") { session.kept.isEmpty }
            try person.keys("ctrl+F5")
            try person.wait("the slideshow") { session.kept == [SessionManager.idle] }
            // What comes over the photo is about it, and not about those that would follow.
            for (key, what) in [("Menu", "Copy Address"), ("alt+Return", "Look: Original, as all photos")] {
                try person.keys(key)
                try person.wait("\(what), and the end of the slideshow") { person.sees(what) && session.kept.isEmpty }
                try Screen.focusTopWindow()
                try Screen.key("Escape")
                try person.wait("the photo alone") { !person.sees(what) }
                try person.focus()
                try person.keys("ctrl+F5")
                try person.wait("the slideshow") { session.kept == [SessionManager.idle] }
            }
            try person.keys("ctrl+s")
            try person.wait("the dialog, and the end of the slideshow") {
                try Screen.hasWindow("Save Photo As") && session.kept.isEmpty
            }
            try Screen.focus("Save Photo As")
            try Screen.key("Escape")
            try person.wait("the end of the dialog") { try !Screen.hasWindow("Save Photo As") }
            try person.focus()
            try person.keys("ctrl+F5")
            try person.wait("the slideshow") { session.kept == [SessionManager.idle] }
            // The window may be closed meanwhile.
            try person.close()
            XCTAssertEqual(session.kept, [])
        }
    }

    /// Turns the main loop for ten times as long as a photo is shown.
    @MainActor private static func pass() {
        var isOver = false
        let timer = LoopTimer(after: .milliseconds(50)) { isOver = true }
        wait("the end of the time") { isOver }
        withExtendedLifetime(timer) {}
    }
}
