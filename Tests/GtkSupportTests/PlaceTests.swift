import CAtspi
import Foundation
import ImageCodecs
import Pixels
import TestServers
import XCTest

/// Where a person is among the photos, after a search, in the large view, and with two windows.
final class PlaceTests: GtkTestCase {
    func testKeysGoOnWhereOneIsAfterASearch() throws {
        try MainActor.assumeIsolated {
            let reader = try Reader(program: "classicphotos-app")
            let fixture = try Fixture()
            defer { fixture.remove() }
            let catalog = try fixture.catalog("evening")
            // On standard input, which is searched as other catalogs are.
            let person = Person(reader: reader, app: try AppRun(["-"], input: catalog, isReadable: true))
            try person.waitForRow("Photo 0, Done")
            try person.wait("rows further down by the wheel") {
                try person.wheelDown(4)
                return person.done.contains { $0 > 60 }
            }
            let place = try XCTUnwrap(person.done.max())
            try person.search("photo 12")
            try person.wait("the matches, and no others") {
                let rows = person.rows
                return rows.contains("Photo 121, Done") && rows.allSatisfy { $0.contains("12") }
            }
            // Back to where one was; keys go on from there, and not from the first row.
            try person.keys("Escape")
            try person.waitForRow("Photo \(place), Done")
            // The panel is there later than the search bar is gone.
            try person.keys("F9")
            // It takes some frames until keys begin at the place, and more until the panel is at rest.
            var placeOfPanel: Int?
            try person.wait("the panel at rest") {
                let last = placeOfPanel
                placeOfPanel = person.frame(of: "Download queue", role: ATSPI_ROLE_LABEL)?.y
                return last != nil && last == placeOfPanel
            }
            try person.keys("Down", "Return")
            try person.wait("a photo near \(place) in large") {
                person.numberInLarge(of: 400).map { abs($0 - place) < 40 } ?? false
            }

            // A search from the large view leads back to the photos, where one sees what is typed.
            try person.search("photo 399")
            try person.wait("the only match") { person.rows == ["Photo 399, Done"] }
            // Also where it is open already, and there something is typed anew.
            try person.press("Photo 399, Done") { person.numberInLarge(of: 1) == 1 }
            try person.search("nobody")
            try person.wait("the page that says so") { person.sees("No Match") }
            // Another layout has no more to show.
            try person.keys("ctrl+2", "ctrl+l")
            try person.wait("the dialog") { try Screen.windowCount() == 2 }
            XCTAssertTrue(person.sees("No Match"))
            try Screen.focusTopWindow()
            try person.keys("Escape")
            try person.wait("the end of the dialog") { try Screen.windowCount() == 1 }
            try person.close()
        }
    }

    func testKeysBeginWhereTheLastRunEnded() throws {
        try MainActor.assumeIsolated {
            let reader = try Reader(program: "classicphotos-app")
            let fixture = try Fixture()
            defer { fixture.remove() }
            let catalog = try fixture.catalog("evening")
            for layout in ["list", "grid"] {
                try fixture.write("layout=\(layout)\ncatalog=\(catalog.path)\nplace=200\n")
                let app = try AppRun([], settings: fixture.settings, isReadable: true)
                let person = Person(reader: reader, app: app)
                try person.waitForRow("Photo 200, Done")
                try person.keys("Down", "Return")
                try person.wait("a photo near 200 in large, \(layout)") {
                    person.numberInLarge(of: 400).map { (190...220).contains($0) } ?? false
                }
                try person.close()
            }
        }
    }

    /// In another layout and another size, and when the photos are opened again.
    func testKeysGoOnFromThePhotoThatIsChosen() throws {
        try MainActor.assumeIsolated {
            let fixture = try Fixture()
            defer { fixture.remove() }
            let catalog = try fixture.catalog("evening")
            let person = try fixture.start(catalog)
            try person.waitForRow("Photo 3, Done")
            try person.focus()
            try person.keys("Home", "Down", "Down", "Down")
            try person.wait("the photo") { person.isFocused("Photo 3, Done") }
            for key in ["ctrl+2", "ctrl+plus", "ctrl+1", "shift+F5"] {
                try person.keys(key)
                try person.wait("the photo that is chosen after \(key)") { person.isChosen("Photo 3, Done") }
                try person.wait("the keyboard after \(key)") { person.isFocused("Photo 3, Done") }
                try person.keys("Return")
                try person.wait("it in large after \(key)") { person.numberInLarge(of: 400) == 4 }
                try person.keys("Escape")
                try person.wait("the photo again") { person.isFocused("Photo 3, Done") }
            }
            try person.close()
        }
    }

    /// A place is one photo, also where others have come before it.
    func testAStartShowsThePhotosThatOneHasLeft() throws {
        try MainActor.assumeIsolated {
            let fixture = try Fixture()
            defer { fixture.remove() }
            let catalog = try fixture.catalog("evening")
            let address = fixture.server.url("/photo?200").absoluteString
            try fixture.write("catalog=\(catalog.path)\nplace=200\nplace-address=\(address)\n")
            try fixture.add(rows: 40, before: catalog)
            let app = try AppRun([], settings: fixture.settings, isReadable: true)
            let person = Person(reader: try Reader(program: "classicphotos-app"), app: app)
            try person.waitForRow("Photo 200, Done")
            try person.close()
            let text = try fixture.text
            XCTAssertTrue(text.contains("place=240\n"), text)
            XCTAssertTrue(text.contains("place-address=\(address)\n"), text)
        }
    }

    func testAReloadKeepsTheSearchAndWhatIsChosen() throws {
        try MainActor.assumeIsolated {
            let fixture = try Fixture()
            defer { fixture.remove() }
            let catalog = try fixture.catalog("evening")
            let person = try fixture.start(catalog)
            try person.waitForRow("Photo 0, Done")
            try person.search("photo 39")
            try person.wait("the matches") { person.rows.contains("Photo 391, Done") }
            for name in ["Photo 390, Done", "Photo 391, Done"] {
                try person.press(name, holding: "ctrl") { person.isChosen(name) }
            }
            try fixture.add(rows: 1, before: catalog, named: "Photo 39 more")
            try person.keys("shift+F5")
            try person.waitForRow("Photo 39 more 0, Done")
            try person.wait("the matches, and no others") {
                let rows = person.rows
                return rows.contains("Photo 391, Done") && rows.allSatisfy { $0.contains("39") }
            }
            XCTAssertEqual(
                person.rows.filter { person.isChosen($0) }, ["Photo 390, Done", "Photo 391, Done"])
            try person.close()
        }
    }

    /// What is remembered of a catalog for the next start is not remembered of single files.
    func testAReloadOfFilesKeepsTheSearchToo() throws {
        try MainActor.assumeIsolated {
            try OwnPhotosTests.withPhotos { photos, folder in
                let files = ["one.png", "two.png"].map { photos.appending(path: $0) }
                let person = try OwnPhotosTests.start(files.map(\.path), folder.appending(path: "settings"))
                try person.waitForRow("two.png, Done")
                try person.search("two")
                try person.wait("the match") { person.rows == ["two.png, Done"] }
                // Another picture tells that it is loaded again.
                let blue: [UInt8] = [30, 60, 210]
                let pixels = Array(repeatElement(blue + [255], count: 400 * 300).joined())
                let image = PixelBuffer(uninitialized: PixelSize(width: 400, height: 300), isOpaque: true) {
                    $0.copyBytes(from: pixels)
                }
                try ImageEncoder(format: .png).encode(image).write(to: files[1])
                try person.keys("shift+F5")
                try person.waitForPixels(blue)
                try person.wait("the match") { person.rows == ["two.png, Done"] }
                try person.close()
            }
        }
    }

    func testASearchLeadsBackAlsoAfterAnotherSize() throws {
        try MainActor.assumeIsolated {
            let reader = try Reader(program: "classicphotos-app")
            let fixture = try Fixture()
            defer { fixture.remove() }
            let catalog = try fixture.catalog("evening")
            try fixture.write("catalog=\(catalog.path)\nplace=200\n")
            let person = Person(reader: reader, app: try AppRun([], settings: fixture.settings, isReadable: true))
            try person.waitForRow("Photo 200, Done")
            try person.search("photo 39")
            try person.wait("the matches") { person.rows.first == "Photo 39, Done" }
            let height = try XCTUnwrap(person.frame(of: "Photo 39, Done", role: ATSPI_ROLE_LIST_ITEM)).height
            try person.keys("ctrl+plus")
            try person.wait("larger ones") {
                person.frame(of: "Photo 39, Done", role: ATSPI_ROLE_LIST_ITEM).map { $0.height > height } ?? false
            }
            try person.keys("ctrl+f")
            try person.wait("the place before the search") { person.isOnScreen("Photo 200, Done", height: 720) }
            try person.close()
        }
    }

    func testTheListGoesAlongWithTheLargeView() throws {
        try MainActor.assumeIsolated {
            let reader = try Reader(program: "classicphotos-app")
            let fixture = try Fixture()
            defer { fixture.remove() }
            let catalog = try fixture.catalog("evening")
            for layout in ["list", "grid"] {
                try fixture.write("layout=\(layout)\n")
                let app = try AppRun([catalog.path], settings: fixture.settings, isReadable: true)
                let person = Person(reader: reader, app: app)
                try person.waitForRow("Photo 2, Done")
                try person.press("Photo 2, Done") { person.numberInLarge(of: 400) == 3 }
                // By the mouse, and by keys.
                try person.press("Next photo") { person.numberInLarge(of: 400) == 4 }
                try person.press("Previous photo") { person.numberInLarge(of: 400) == 3 }
                for number in [23, 43, 63] {
                    try person.keys(Array(repeating: "Right", count: 20))
                    try person.wait("\(number)") { person.numberInLarge(of: 400) == number }
                }
                try person.keys("Escape")
                try person.wait("the photo in the list") {
                    person.isChosen("Photo 62, Done") && person.isOnScreen("Photo 62, Done", height: 720)
                }
                try person.keys("Return")
                try person.wait("it in large again") { person.numberInLarge(of: 400) == 63 }
                try person.close()
            }
        }
    }

    func testTwoWindowsKeepWhatEachHasOpened() throws {
        try MainActor.assumeIsolated {
            let fixture = try Fixture()
            defer { fixture.remove() }
            let catalogs = try ["first", "second"].map { try fixture.catalog($0) }
            let others = (0..<8).map { "recent-\($0)=/other-\($0).csv\n" }.joined()
            try fixture.write("private-addresses=true\n" + others)
            let first = try AppRun([catalogs[0].path], settings: fixture.settings)
            try Self.wait("the first catalog", seconds: 60) { try fixture.text.contains(catalogs[0].path) }
            let second = try AppRun([catalogs[1].path], settings: fixture.settings)
            try Self.wait("the second catalog", seconds: 60) { try fixture.text.contains(catalogs[1].path) }
            // As the first one's preferences would.
            let changed = try fixture.text.replacing("private-addresses=true", with: "private-addresses=false")
            try fixture.write(changed, raw: true)
            for app in [second, first] {
                app.terminate()
                Self.wait("end of the program", seconds: 60) { !app.isRunning }
            }
            let text = try fixture.text
            for (index, catalog) in [catalogs[0].path, catalogs[1].path, "/other-0.csv"].enumerated() {
                XCTAssertTrue(text.contains("recent-\(index)=\(catalog)\n"), text)
            }
            XCTAssertTrue(text.contains("catalog=\(catalogs[0].path)\n"), "the window that was closed last: \(text)")
            XCTAssertTrue(text.contains("private-addresses=false"), text)
        }
    }

    /// A server, catalogs of 400 photos, and what the program remembers.
    @MainActor private final class Fixture {
        let server: FaultServer
        let folder = FileManager.default.temporaryDirectory.appending(path: "classicphotos-place-\(UUID())")
        var settings: URL { folder.appending(path: "settings") }
        private var file: URL { settings.appending(path: "classicphotos/app.ini") }

        init() throws {
            server = try FaultServer()
            try FileManager.default.createDirectory(
                at: settings.appending(path: "classicphotos"), withIntermediateDirectories: true)
            let image = PixelBuffer(size: PixelSize(width: 40, height: 30))
            server.serve(try ImageEncoder(format: .png).encode(image), at: "/photo")
        }

        func remove() {
            server.stop()
            try? FileManager.default.removeItem(at: folder)
        }

        /// Starts the app with a catalog.
        func start(_ catalog: URL) throws -> Person {
            let app = try AppRun([catalog.path], settings: settings, isReadable: true)
            return Person(reader: try Reader(program: "classicphotos-app"), app: app)
        }

        func catalog(_ name: String) throws -> URL {
            let lines = (0..<400).map { "Photo \($0),\(server.url("/photo?\($0)"))\n" }
            let catalog = folder.appending(path: name + ".csv")
            try Data(("name,url\n" + lines.joined()).utf8).write(to: catalog)
            return catalog
        }

        /// Adds photos at the beginning of a catalog.
        func add(rows count: Int, before catalog: URL, named name: String = "New") throws {
            let text = try String(contentsOf: catalog, encoding: .utf8)
            let lines = (0..<count).map { "\(name) \($0),\(server.url("/photo?new\($0)"))\n" }
            try Data(text.replacing("name,url\n", with: "name,url\n" + lines.joined()).utf8).write(to: catalog)
        }

        /// - Parameter raw: Whether it is the whole file.
        func write(_ text: String, raw: Bool = false) throws {
            try Data(((raw ? "" : "[window]\n") + text).utf8).write(to: file)
        }

        var text: String { get throws { try String(contentsOf: file, encoding: .utf8) } }
    }
}
